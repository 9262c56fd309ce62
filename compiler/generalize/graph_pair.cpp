#include "compiler/generalize/graph_pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/graph/spelling.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

std::string operatorText(const Node& node) {
  std::string text = node.op;
  if (!node.overload.empty()) text += "." + node.overload;
  if (!node.source.file.empty()) {
    text += fmt::format(" at {}:{}", node.source.file, node.source.line);
  }
  return text;
}

class PairWalk {
 public:
  PairWalk(const Graph& left, const Graph& right, PairVisitor& visitor, Graph& merged)
      : left_(left),
        right_(right),
        visitor_(visitor),
        merged_(merged),
        rightOfLeft_(left.values.size(), ValueId::kNone) {
    merged_ = left;
  }

  std::string run() {
    if (left_.symbols.size() != right_.symbols.size()) {
      fail("the number of dynamic sizes", std::to_string(left_.symbols.size()),
           std::to_string(right_.symbols.size()));
    } else if (left_.inputs.size() != right_.inputs.size()) {
      fail("the number of inputs", std::to_string(left_.inputs.size()),
           std::to_string(right_.inputs.size()));
    }
    for (size_t i = 0; i < left_.inputs.size() && problem_.empty(); ++i) walkInput(i);
    const size_t shared = std::min(left_.nodes.size(), right_.nodes.size());
    for (size_t i = 0; i < shared && problem_.empty(); ++i) walkNode(i);
    walkEnd(shared);
    return problem_;
  }

 private:
  void walkInput(size_t index) {
    const GraphInput& input = left_.inputs[index];
    place_ = "input " + input.source;
    SizeContext context;
    context.add(declaredSizes(input));
    define(input.value, right_.inputs[index].value, context, false);
  }

  /// The symbols that were declared for dimensions of this input; constants elsewhere.
  std::vector<SizeExpression> declaredSizes(const GraphInput& input) const {
    std::vector<SizeExpression> sizes(left_.value(input.value).type.sizes.size());
    for (size_t s = 0; s < left_.symbols.size(); ++s) {
      for (size_t d = 0; d < sizes.size(); ++d) {
        if (left_.symbols[s].source == fmt::format("{}.size()[{}]", input.source, d)) {
          sizes[d] = SizeExpression::symbol(SymbolId{static_cast<int32_t>(s)});
        }
      }
    }
    return sizes;
  }

  void walkNode(size_t index) {
    const Node& left = left_.nodes[index];
    const Node& right = right_.nodes[index];
    place_ = fmt::format("operator {}", index);
    if (left.op != right.op || left.overload != right.overload) {
      return fail("the operator", operatorText(left), operatorText(right));
    }
    place_ += fmt::format(" ({})", operatorText(left));
    if (left.arguments.size() != right.arguments.size() ||
        left.results.size() != right.results.size()) {
      return fail("its shape", shapeText(left), shapeText(right));
    }
    SizeContext context = contextOfArguments(merged_.nodes[index], merged_.values);
    for (size_t i = 0; i < left.arguments.size() && problem_.empty(); ++i) {
      walkArgument(left.arguments[i], right.arguments[i], context,
                   merged_.nodes[index].arguments[i]);
    }
    context = contextOfResults(merged_.nodes[index], merged_.values);
    for (size_t i = 0; i < left.results.size() && problem_.empty(); ++i) {
      walkResult(left.results[i], right.results[i], context);
    }
  }

  void walkArgument(const Argument& left, const Argument& right, const SizeContext& context,
                    Argument& merged) {
    const std::string what = "argument " + left.name;
    const auto* a = std::get_if<Attribute>(&left.value);
    const auto* b = std::get_if<Attribute>(&right.value);
    if (left.name != right.name || (a == nullptr) != (b == nullptr)) {
      return fail("an argument", left.name, right.name);
    }
    if (a) return walkAttribute(what, *a, *b, context, std::get<Attribute>(merged.value));
    const std::vector<ValueId> leftIds = idsOf(left.value), rightIds = idsOf(right.value);
    const bool isSame = left.value.index() == right.value.index() &&
                        std::equal(leftIds.begin(), leftIds.end(), rightIds.begin(), rightIds.end(),
                                   [&](ValueId x, ValueId y) {
                                     return x == ValueId::kNone
                                                ? y == x
                                                : rightOfLeft_[static_cast<size_t>(x)] == y;
                                   });
    if (!isSame) fail(what, namesText(left_, leftIds), namesText(right_, rightIds));
  }

  void walkAttribute(const std::string& what, const Attribute& left, const Attribute& right,
                     const SizeContext& context, Attribute& merged) {
    if (const auto* a = std::get_if<SizeExpression>(&left)) {
      if (const auto* b = std::get_if<SizeExpression>(&right)) {
        return walkInteger(what, {*a, *b, &context, 0, false}, std::get<SizeExpression>(merged));
      }
    }
    const auto* a = std::get_if<std::vector<SizeExpression>>(&left);
    const auto* b = std::get_if<std::vector<SizeExpression>>(&right);
    if (a && b) {
      return walkIntegers(what, *a, *b, context, false,
                          std::get<std::vector<SizeExpression>>(merged));
    }
    if (!isSameAttribute(left, right)) {
      const auto text = [](const Attribute& attribute) {
        return pythonText(attribute, [](const SizeExpression& size) { return size.text(); });
      };
      fail(what, text(left), text(right));
    }
  }

  void walkResult(const NodeResult& left, const NodeResult& right, const SizeContext& context) {
    const std::vector<ValueId> leftIds = idsOf(left), rightIds = idsOf(right);
    if (left.index() != right.index() || leftIds.size() != rightIds.size()) {
      return fail("the number of results", std::to_string(leftIds.size()),
                  std::to_string(rightIds.size()));
    }
    for (size_t i = 0; i < leftIds.size() && problem_.empty(); ++i) {
      define(leftIds[i], rightIds[i], context, true);
    }
  }

  void walkEnd(size_t shared) {
    if (!problem_.empty()) return;
    if (left_.nodes.size() != right_.nodes.size()) {
      const auto text = [&](const Graph& graph) {
        return graph.nodes.size() > shared ? operatorText(graph.nodes[shared]) : "the end";
      };
      place_ = fmt::format("operator {}", shared);
      return fail("the operator", text(left_), text(right_));
    }
    place_ = "outputs";
    const bool isSame = std::equal(
        left_.outputs.begin(), left_.outputs.end(), right_.outputs.begin(), right_.outputs.end(),
        [&](ValueId x, ValueId y) { return rightOfLeft_[static_cast<size_t>(x)] == y; });
    if (!isSame) {
      fail("the values", namesText(left_, left_.outputs), namesText(right_, right_.outputs));
    }
  }

  /// Values correspond by where they are defined.
  void define(ValueId left, ValueId right, const SizeContext& context, bool isOfResult) {
    if (left == ValueId::kNone || right == ValueId::kNone) {
      if (left != right) fail("a result", nameText(left_, left), nameText(right_, right));
      return;
    }
    ValueId& known = rightOfLeft_[static_cast<size_t>(left)];
    if (known != ValueId::kNone) {
      if (known != right) fail("a result", nameText(left_, left), nameText(right_, right));
      return;
    }
    known = right;
    walkType(left_.value(left).type, right_.value(right).type, context, isOfResult,
             merged_.values[static_cast<size_t>(left)].type);
  }

  void walkType(const TensorType& left, const TensorType& right, const SizeContext& context,
                bool isOfResult, TensorType& merged) {
    const std::string of = isOfResult ? "its result's " : "its ";
    if (left.dataType != right.dataType) {
      return fail(of + "dtype", std::string(dataTypeName(left.dataType)),
                  std::string(dataTypeName(right.dataType)));
    }
    if (left.device != right.device) {
      return fail(of + "device", left.device.text(), right.device.text());
    }
    if (left.requiresGrad != right.requiresGrad) {
      return fail(of + "requires_grad", left.requiresGrad ? "True" : "False",
                  right.requiresGrad ? "True" : "False");
    }
    walkIntegers(of + "size", left.sizes, right.sizes, context, isOfResult, merged.sizes);
    if (!problem_.empty()) return;
    SizeContext strides;
    std::vector<SizeExpression> contiguous;
    for (const auto& stride : contiguousStrides(merged.sizes)) {
      contiguous.push_back(stride.value_or(SizeExpression{}));
    }
    strides.add(std::move(contiguous));
    strides.add(merged.sizes);
    walkIntegers(of + "stride", left.strides, right.strides, strides, true, merged.strides);
    if (!problem_.empty()) return;
    walkInteger(of + "storage offset",
                {left.storageOffset, right.storageOffset, &context, 0, isOfResult},
                merged.storageOffset);
  }

  void walkIntegers(const std::string& what, const std::vector<SizeExpression>& left,
                    const std::vector<SizeExpression>& right, const SizeContext& context,
                    bool isOfResult, std::vector<SizeExpression>& merged) {
    if (left.size() != right.size()) {
      return fail(what + " count", std::to_string(left.size()), std::to_string(right.size()));
    }
    for (size_t i = 0; i < left.size() && problem_.empty(); ++i) {
      walkInteger(fmt::format("{}[{}]", what, i), {left[i], right[i], &context, i, isOfResult},
                  merged[i]);
    }
  }

  void walkInteger(const std::string& what, const IntegerPair& pair, SizeExpression& merged) {
    if (!visitor_.merge(pair, merged)) {
      fail(what, visitor_.leftText(pair.left), visitor_.rightText(pair.right));
    }
  }

  template <class Holder>
  static std::vector<ValueId> idsOf(const Holder& holder) {
    std::vector<ValueId> ids;
    forEachValue(holder, [&](ValueId id) { ids.push_back(id); });
    return ids;
  }

  static std::string nameText(const Graph& graph, ValueId id) {
    return id == ValueId::kNone ? "None" : graph.value(id).name;
  }

  static std::string namesText(const Graph& graph, const std::vector<ValueId>& ids) {
    std::string text;
    for (ValueId id : ids) text += (text.empty() ? "" : ", ") + nameText(graph, id);
    return text;
  }

  static std::string shapeText(const Node& node) {
    return fmt::format("{} arguments and {} results", node.arguments.size(), node.results.size());
  }

  void fail(const std::string& what, const std::string& left, const std::string& right) {
    if (problem_.empty()) {
      problem_ = (place_.empty() ? "" : place_ + ": ") + visitor_.difference(what, left, right);
    }
  }

  const Graph& left_;
  const Graph& right_;
  PairVisitor& visitor_;
  Graph& merged_;
  std::vector<ValueId> rightOfLeft_;
  std::string place_, problem_;
};

}  // namespace

std::string walkPair(const Graph& left, const Graph& right, PairVisitor& visitor, Graph& merged) {
  return PairWalk(left, right, visitor, merged).run();
}

}  // namespace jitscope::compiler
