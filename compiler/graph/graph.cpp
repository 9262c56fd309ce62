#include "compiler/graph.h"

#include <algorithm>
#include <bit>

#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

bool isSameDouble(double left, double right) {
  return std::bit_cast<uint64_t>(left) == std::bit_cast<uint64_t>(right);
}

/// Compares two graphs node by node; values correspond by where they are defined.
class Comparison {
 public:
  Comparison(const Graph& left, const Graph& right)
      : left_(left), right_(right), rightOfLeft_(left.values.size(), ValueId::kNone) {}

  bool run() {
    return hasSameSymbols() && hasSameInputs() && hasSameNodes() &&
           std::equal(left_.outputs.begin(), left_.outputs.end(), right_.outputs.begin(),
                      right_.outputs.end(), [&](ValueId a, ValueId b) { return isSame(a, b); });
  }

 private:
  bool hasSameSymbols() const {
    return std::equal(left_.symbols.begin(), left_.symbols.end(), right_.symbols.begin(),
                      right_.symbols.end(), [](const GraphSymbol& a, const GraphSymbol& b) {
                        return a.minimum == b.minimum && a.maximum == b.maximum;
                      });
  }

  bool hasSameInputs() {
    return std::equal(
        left_.inputs.begin(), left_.inputs.end(), right_.inputs.begin(), right_.inputs.end(),
        [&](const GraphInput& a, const GraphInput& b) { return define(a.value, b.value); });
  }

  bool hasSameNodes() {
    return std::equal(left_.nodes.begin(), left_.nodes.end(), right_.nodes.begin(),
                      right_.nodes.end(),
                      [&](const Node& a, const Node& b) { return isSameNode(a, b); });
  }

  bool isSameNode(const Node& a, const Node& b) {
    return a.op == b.op && a.overload == b.overload &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(),
                      b.arguments.end(),
                      [&](const Argument& x, const Argument& y) { return isSameArgument(x, y); }) &&
           std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                      [&](const NodeResult& x, const NodeResult& y) { return isSameResult(x, y); });
  }

  bool isSameArgument(const Argument& a, const Argument& b) const {
    if (a.name != b.name || a.value.index() != b.value.index()) return false;
    if (const auto* attribute = std::get_if<Attribute>(&a.value)) {
      return isSameAttribute(*attribute, std::get<Attribute>(b.value));
    }
    std::vector<ValueId> leftIds, rightIds;
    forEachValue(a.value, [&](ValueId id) { leftIds.push_back(id); });
    forEachValue(b.value, [&](ValueId id) { rightIds.push_back(id); });
    return std::equal(leftIds.begin(), leftIds.end(), rightIds.begin(), rightIds.end(),
                      [&](ValueId x, ValueId y) { return isSame(x, y); });
  }

  bool isSameResult(const NodeResult& a, const NodeResult& b) {
    if (a.index() != b.index()) return false;
    std::vector<ValueId> leftIds, rightIds;
    forEachValue(a, [&](ValueId id) { leftIds.push_back(id); });
    forEachValue(b, [&](ValueId id) { rightIds.push_back(id); });
    return std::equal(leftIds.begin(), leftIds.end(), rightIds.begin(), rightIds.end(),
                      [&](ValueId x, ValueId y) { return define(x, y); });
  }

  bool isSame(ValueId a, ValueId b) const {
    if (a == ValueId::kNone || b == ValueId::kNone) return a == b;
    const ValueId known = rightOfLeft_[static_cast<size_t>(a)];
    return known != ValueId::kNone && known == b;
  }

  bool define(ValueId a, ValueId b) {
    if (a == ValueId::kNone || b == ValueId::kNone) return a == b;
    ValueId& known = rightOfLeft_[static_cast<size_t>(a)];
    if (known != ValueId::kNone) return known == b;
    known = b;
    return left_.value(a).type == right_.value(b).type;
  }

  const Graph& left_;
  const Graph& right_;
  std::vector<ValueId> rightOfLeft_;
};

}  // namespace

bool isSameAttribute(const Attribute& left, const Attribute& right) {
  if (left.index() != right.index()) return false;
  if (const auto* a = std::get_if<double>(&left)) return isSameDouble(*a, std::get<double>(right));
  if (const auto* a = std::get_if<std::complex<double>>(&left)) {
    const auto& b = std::get<std::complex<double>>(right);
    return isSameDouble(a->real(), b.real()) && isSameDouble(a->imag(), b.imag());
  }
  if (const auto* a = std::get_if<std::vector<double>>(&left)) {
    const auto& b = std::get<std::vector<double>>(right);
    return std::equal(a->begin(), a->end(), b.begin(), b.end(), isSameDouble);
  }
  return left == right;
}

bool isSameComputation(const Graph& left, const Graph& right) {
  return Comparison(left, right).run();
}

bool hasExactSizes(const Graph& graph, std::span<const int64_t> symbolValues) {
  bool isExact = true;
  forEachExpressionOfGraph(graph, [&](const SizeExpression& expression) {
    isExact = isExact && expression.isExact(symbolValues);
  });
  return isExact;
}

std::string inputName(std::string_view source) {
  std::string name;
  for (char c : source) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (isPlain) {
      name += c;
    } else if (name.empty() || name.back() != '_') {
      name += '_';
    }
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(name.begin(), '_');
  return name;
}

}  // namespace jitscope::compiler
