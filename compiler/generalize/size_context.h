#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// The product, where it can be written as one expression.
std::optional<SizeExpression> product(const SizeExpression& left, const SizeExpression& right);

/// The strides of a contiguous tensor of these sizes; absent where one cannot be written.
std::vector<std::optional<SizeExpression>> contiguousStrides(
    const std::vector<SizeExpression>& sizes);

/// The integers that an integer of a graph most likely comes from: of what the operator reads.
class SizeContext {
 public:
  /// Adds integers that belong together, by dimension.
  void add(std::vector<SizeExpression> list) { lists_.push_back(std::move(list)); }

  /// All integers, those at the same dimension first.
  std::vector<SizeExpression> nearest(size_t dimension) const;

  /// Those at the same dimension only.
  std::vector<SizeExpression> sameDimension(size_t dimension) const;

  /// Products of neighbouring dimensions, as flattening makes them.
  std::vector<SizeExpression> flattened() const;

  bool mentions(SymbolId symbol) const;

 private:
  std::vector<std::vector<SizeExpression>> lists_;
};

/// What the results of `node` are made from: its integers and the types of its tensors, whose
/// values are in `values`.
SizeContext contextOfResults(const Node& node, const std::vector<Value>& values);

/// What an integer argument of `node` may follow: the types of its tensors.
SizeContext contextOfArguments(const Node& node, const std::vector<Value>& values);

}  // namespace jitscope::compiler
