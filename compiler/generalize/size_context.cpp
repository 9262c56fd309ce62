#include "compiler/generalize/size_context.h"

#include <algorithm>
#include <iterator>

#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

/// A constant as a factor without symbols; absent with an offset beside symbols.
struct Factor {
  int64_t numerator, denominator;
};

std::optional<Factor> factorOf(const SizeExpression& size) {
  if (size.isConstant()) return Factor{size.offset, 1};
  if (size.offset != 0) return std::nullopt;
  return Factor{size.numerator, size.denominator};
}

void addTensors(const Node& node, const std::vector<Value>& values, SizeContext& context) {
  for (const Argument& argument : node.arguments) {
    forEachValue(argument.value, [&](ValueId id) {
      if (id != ValueId::kNone) context.add(values[static_cast<size_t>(id)].type.sizes);
    });
  }
}

}  // namespace

std::optional<SizeExpression> product(const SizeExpression& left, const SizeExpression& right) {
  if (right == SizeExpression::constant(1)) return left;
  if (left == SizeExpression::constant(1)) return right;
  const auto a = factorOf(left), b = factorOf(right);
  SizeExpression result;
  int64_t numerator = 0;
  const bool fits = a && b && !__builtin_mul_overflow(a->numerator, b->numerator, &numerator) &&
                    !__builtin_mul_overflow(a->denominator, b->denominator, &result.denominator);
  if (!fits) return std::nullopt;
  if (left.isConstant() && right.isConstant()) return SizeExpression::constant(numerator);
  if (numerator == 0) return SizeExpression::constant(0);
  result.numerator = numerator;
  std::merge(left.symbols.begin(), left.symbols.end(), right.symbols.begin(), right.symbols.end(),
             std::back_inserter(result.symbols));
  return result;
}

std::vector<std::optional<SizeExpression>> contiguousStrides(
    const std::vector<SizeExpression>& sizes) {
  std::vector<std::optional<SizeExpression>> strides(sizes.size());
  std::optional<SizeExpression> stride = SizeExpression::constant(1);
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    if (stride) stride = product(sizes[i], *stride);
  }
  return strides;
}

std::vector<SizeExpression> SizeContext::sameDimension(size_t dimension) const {
  std::vector<SizeExpression> found;
  for (const auto& list : lists_) {
    if (dimension < list.size()) found.push_back(list[dimension]);
  }
  return found;
}

std::vector<SizeExpression> SizeContext::nearest(size_t dimension) const {
  std::vector<SizeExpression> found = sameDimension(dimension);
  for (const auto& list : lists_) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i != dimension) found.push_back(list[i]);
    }
  }
  return found;
}

std::vector<SizeExpression> SizeContext::flattened() const {
  std::vector<SizeExpression> products;
  for (const auto& list : lists_) {
    for (size_t first = 0; first < list.size(); ++first) {
      std::optional<SizeExpression> run = list[first];
      for (size_t next = first + 1; next < list.size() && run; ++next) {
        run = product(*run, list[next]);
        if (run) products.push_back(*run);
      }
    }
  }
  return products;
}

bool SizeContext::mentions(SymbolId symbol) const {
  for (const auto& list : lists_) {
    for (const SizeExpression& size : list) {
      if (std::find(size.symbols.begin(), size.symbols.end(), symbol) != size.symbols.end()) {
        return true;
      }
    }
  }
  return false;
}

SizeContext contextOfArguments(const Node& node, const std::vector<Value>& values) {
  SizeContext context;
  addTensors(node, values, context);
  return context;
}

SizeContext contextOfResults(const Node& node, const std::vector<Value>& values) {
  SizeContext context;
  // The wanted size comes before the sizes that were there.
  for (const Argument& argument : node.arguments) {
    const auto* attribute = std::get_if<Attribute>(&argument.value);
    if (!attribute) continue;
    std::vector<SizeExpression> integers;
    forEachExpression(*attribute, [&](const SizeExpression& size) { integers.push_back(size); });
    context.add(std::move(integers));
  }
  addTensors(node, values, context);
  return context;
}

}  // namespace jitscope::compiler
