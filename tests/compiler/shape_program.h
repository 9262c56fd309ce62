#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// A random program over tensors whose operators depend on the sizes of its inputs as user code
/// does: it reads them as plain integers. The same seed makes the same decisions at all sizes, so
/// that captures at different sizes are samples of one program. Sizes must be multiples of 8 and at
/// least 8.
class ShapeProgram {
 public:
  ShapeProgram(uint64_t seed, size_t symbolCount, bool isPlain = false)
      : seed_(seed), symbolCount_(symbolCount), isPlain_(isPlain) {}

  /// What a capture at these sizes gives: constants only.
  Graph capture(std::span<const int64_t> values) {
    random_.seed(seed_);
    graph_ = {};
    tensors_.clear();
    for (size_t i = 0; i < symbolCount_; ++i) {
      const std::string name = "L['x" + std::to_string(i) + "']";
      graph_.symbols.push_back({"s" + std::to_string(i), name + ".size()[0]", values[i]});
      addInput(name, {values[i], 16});
    }
    addInput("L['w']", {16, 16});
    for (int i = 0; i < 14; ++i) addOperator(values);
    for (const Tensor& tensor : tensors_) {
      if (pick(3) == 0) graph_.outputs.push_back(tensor.id);
    }
    nameValues(graph_);
    return graph_;
  }

 private:
  using Sizes = std::vector<int64_t>;

  struct Tensor {
    ValueId id;
    Sizes sizes, strides;
    int64_t offset = 0;
    bool isContiguous = true;
    int halvings = 0;
  };

  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }

  static Sizes contiguous(const Sizes& sizes) {
    Sizes strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    return strides;
  }

  static std::vector<SizeExpression> constants(const Sizes& sizes) {
    std::vector<SizeExpression> list;
    for (int64_t size : sizes) list.push_back(SizeExpression::constant(size));
    return list;
  }

  ValueId addValue(const Tensor& tensor) {
    Value value;
    value.type.dataType = static_cast<DataType>(6);
    value.type.sizes = constants(tensor.sizes);
    value.type.strides = constants(tensor.strides);
    value.type.storageOffset = SizeExpression::constant(tensor.offset);
    graph_.values.push_back(std::move(value));
    return ValueId{static_cast<int32_t>(graph_.values.size()) - 1};
  }

  void addInput(const std::string& source, const Sizes& sizes) {
    Tensor tensor{{}, sizes, contiguous(sizes)};
    tensor.id = addValue(tensor);
    graph_.inputs.push_back({tensor.id, source});
    tensors_.push_back(std::move(tensor));
  }

  void add(const char* op, std::vector<Argument> arguments, Tensor result) {
    result.id = addValue(result);
    graph_.nodes.push_back(
        {op, "", std::move(arguments), {result.id}, {"program.cpp", 7, "program"}});
    tensors_.push_back(std::move(result));
  }

  static Attribute integer(int64_t value) { return SizeExpression::constant(value); }

  void addOperator(std::span<const int64_t> values) {
    const Tensor x = tensors_[pick(tensors_.size())];
    const size_t dim = pick(x.sizes.size());
    const Argument self{"self", x.id};
    const Argument dimension{"dim", integer(static_cast<int64_t>(dim))};
    Tensor result = x;
    switch (pick(9)) {
      case 0:
        result.strides = contiguous(x.sizes);
        return add("aten::relu", {self}, fresh(result));
      case 1: {  // x.slice(dim, 0, n - 1)
        result.sizes[dim] -= 1;
        result.isContiguous = false;
        if (isPlain_ || x.halvings > 0 || x.sizes[dim] < 3) return;
        return add("aten::slice",
                   {self, dimension, {"start", integer(0)}, {"end", integer(x.sizes[dim] - 1)}},
                   result);
      }
      case 2: {  // cat([x, x], dim)
        result.sizes[dim] *= 2;
        return add("aten::cat", {{"tensors", std::vector{x.id, x.id}}, dimension}, fresh(result));
      }
      case 3: {
        const size_t other = pick(x.sizes.size());
        std::swap(result.sizes[dim], result.sizes[other]);
        std::swap(result.strides[dim], result.strides[other]);
        result.isContiguous = result.isContiguous && dim == other;
        return add("aten::transpose",
                   {self,
                    {"dim0", integer(static_cast<int64_t>(dim))},
                    {"dim1", integer(static_cast<int64_t>(other))}},
                   result);
      }
      case 4: {  // x.view({a * b})
        if (!x.isContiguous || x.sizes.size() < 2) return;
        int64_t count = 1;
        for (int64_t size : x.sizes) count *= size;
        result.sizes = {count};
        result.strides = {1};
        return add("aten::view", {self, {"size", Attribute(constants({count}))}}, result);
      }
      case 5: {  // the second half
        if (x.halvings == 2 || !x.isContiguous || x.sizes[dim] % 2 != 0) return;
        const int64_t half = x.sizes[dim] / 2;
        result.sizes[dim] = half;
        result.offset += half * x.strides[dim];
        result.isContiguous = false;
        ++result.halvings;
        return add("aten::narrow",
                   {self, dimension, {"start", integer(half)}, {"length", integer(half)}}, result);
      }
      case 6: {
        result.sizes[dim] = 1;
        return add("aten::sum", {self, dimension}, fresh(result));
      }
      case 7: {  // zeros({n, 3})
        Tensor zeros{{}, {values[pick(values.size())], 3}, {}};
        return add("aten::zeros", {{"size", Attribute(constants(zeros.sizes))}}, fresh(zeros));
      }
      default:  // x * n
        if (isPlain_) return;
        return add("aten::mul", {self, {"other", integer(values[pick(values.size())])}},
                   fresh(result));
    }
  }

  static Tensor fresh(Tensor tensor) {
    tensor.strides = contiguous(tensor.sizes);
    tensor.offset = 0;
    tensor.isContiguous = true;
    return tensor;
  }

  const uint64_t seed_;
  const size_t symbolCount_;
  const bool isPlain_;
  std::mt19937_64 random_;
  Graph graph_;
  std::vector<Tensor> tensors_;
};

}  // namespace jitscope::compiler
