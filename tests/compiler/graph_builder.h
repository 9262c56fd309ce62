#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// Attributes of nodes.
inline Attribute integer(int64_t value) { return SizeExpression::constant(value); }
inline Attribute integers(const std::vector<int64_t>& values) {
  std::vector<SizeExpression> list;
  for (const int64_t value : values) list.push_back(SizeExpression::constant(value));
  return list;
}

/// Builds small graphs in tests. Values are contiguous float32 on the CPU and named as FX would.
class GraphBuilder {
 public:
  struct Sizes {
    Sizes(std::initializer_list<int64_t> constants) {
      for (int64_t size : constants) list.push_back(SizeExpression::constant(size));
    }
    Sizes(std::initializer_list<SizeExpression> sizes) : list(sizes) {}
    Sizes(std::vector<SizeExpression> sizes) : list(std::move(sizes)) {}
    std::vector<SizeExpression> list;
  };

  Graph& graph() { return graph_; }

  SizeExpression symbol(std::string source, int64_t hint) {
    const SymbolId id{static_cast<int32_t>(graph_.symbols.size())};
    GraphSymbol symbol;
    symbol.name = "s" + std::to_string(graph_.symbols.size());
    symbol.source = std::move(source);
    symbol.hint = hint;
    graph_.symbols.push_back(std::move(symbol));
    return SizeExpression::symbol(id);
  }

  ValueId input(std::string source, const Sizes& sizes) {
    const ValueId id = value(sizes);
    graph_.inputs.push_back({id, std::move(source)});
    nameValues(graph_);
    return id;
  }

  /// A node with one new tensor.
  ValueId node(std::string op, std::string overload, std::vector<Argument> arguments,
               const Sizes& sizes) {
    const ValueId id = value(sizes);
    add(std::move(op), std::move(overload), std::move(arguments), {id});
    return id;
  }

  /// A node with `count` new tensors.
  std::vector<ValueId> nodeWithResults(std::string op, std::string overload,
                                       std::vector<Argument> arguments, size_t count) {
    std::vector<ValueId> ids;
    std::vector<NodeResult> results;
    for (size_t i = 0; i < count; ++i) {
      ids.push_back(value({4}));
      results.emplace_back(ids.back());
    }
    add(std::move(op), std::move(overload), std::move(arguments), std::move(results));
    return ids;
  }

  /// A node with one list of `count` new tensors.
  std::vector<ValueId> nodeWithList(std::string op, std::string overload,
                                    std::vector<Argument> arguments, size_t count) {
    std::vector<ValueId> ids;
    for (size_t i = 0; i < count; ++i) ids.push_back(value({4}));
    add(std::move(op), std::move(overload), std::move(arguments), {ids});
    return ids;
  }

  /// A node that gives back its first argument.
  void inPlace(std::string op, std::string overload, std::vector<Argument> arguments) {
    const ValueId self = std::get<ValueId>(arguments[0].value);
    add(std::move(op), std::move(overload), std::move(arguments), {self});
  }

  /// A node without results.
  void plainNode(std::string op, std::vector<Argument> arguments) {
    add(std::move(op), "", std::move(arguments), {});
  }

  void output(ValueId id) { graph_.outputs.push_back(id); }

  /// Strides of a contiguous tensor of these sizes.
  static std::vector<SizeExpression> contiguousStrides(const std::vector<SizeExpression>& sizes) {
    std::vector<SizeExpression> strides(sizes.size());
    SizeExpression product = SizeExpression::constant(1);
    for (size_t i = sizes.size(); i-- > 0;) {
      strides[i] = product;
      product = multiplied(product, sizes[i]);
    }
    return strides;
  }

 private:
  static SizeExpression multiplied(const SizeExpression& a, const SizeExpression& b) {
    if (a.isConstant() && b.isConstant()) return SizeExpression::constant(a.offset * b.offset);
    const auto factorOf = [](const SizeExpression& e) {
      return e.isConstant() ? e.offset : e.numerator;
    };
    SizeExpression product{factorOf(a) * factorOf(b), a.denominator * b.denominator, 0, a.symbols};
    product.symbols.insert(product.symbols.end(), b.symbols.begin(), b.symbols.end());
    std::sort(product.symbols.begin(), product.symbols.end());
    return product;
  }

  ValueId value(const Sizes& sizes) {
    const ValueId id{static_cast<int32_t>(graph_.values.size())};
    Value value;
    value.type.dataType = static_cast<DataType>(6);
    value.type.sizes = sizes.list;
    value.type.strides = contiguousStrides(sizes.list);
    graph_.values.push_back(std::move(value));
    return id;
  }

  void add(std::string op, std::string overload, std::vector<Argument> arguments,
           std::vector<NodeResult> results) {
    graph_.nodes.push_back(
        {std::move(op), std::move(overload), std::move(arguments), std::move(results), {}});
    nameValues(graph_);
  }

  Graph graph_;
};

}  // namespace jitscope::compiler
