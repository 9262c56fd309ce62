#include "compiler/frontend/symbolic_segment.h"

#include <ATen/core/List.h>

#include <algorithm>

#include "compiler/generalize/generalize.h"

namespace jitscope::compiler {
namespace {

bool isSymbolic(const std::vector<SizeExpression>& sizes) {
  return std::any_of(sizes.begin(), sizes.end(),
                     [](const SizeExpression& size) { return !size.isConstant(); });
}

bool isSymbolic(const TensorType& type) {
  return isSymbolic(type.sizes) || isSymbolic(type.strides) || !type.storageOffset.isConstant();
}

std::shared_ptr<const TensorType> symbolicType(const TensorType& type) {
  return isSymbolic(type) ? std::make_shared<const TensorType>(type) : nullptr;
}

std::vector<SizeExpression> symbolicSizes(const Argument& argument) {
  const auto* attribute = std::get_if<Attribute>(&argument.value);
  if (!attribute) return {};
  std::vector<SizeExpression> sizes;
  if (const auto* one = std::get_if<SizeExpression>(attribute)) sizes = {*one};
  if (const auto* list = std::get_if<std::vector<SizeExpression>>(attribute)) sizes = *list;
  return isSymbolic(sizes) ? sizes : std::vector<SizeExpression>();
}

void evaluate(const std::vector<SizeExpression>& from, std::span<const int64_t> symbols,
              c10::DimVector& to) {
  for (size_t i = 0; i < from.size(); ++i) to[i] = from[i].evaluate(symbols);
}

void evaluate(const std::shared_ptr<const TensorType>& type, std::span<const int64_t> symbols,
              TensorFacts& facts) {
  if (!type) return;
  evaluate(type->sizes, symbols, facts.sizes);
  evaluate(type->strides, symbols, facts.strides);
  facts.storageOffset = type->storageOffset.evaluate(symbols);
}

void evaluate(RecordedOperator& op, std::span<const int64_t> symbols) {
  for (auto& argument : op.arguments) {
    if (argument.sizes.empty()) continue;
    if (argument.constant.isInt()) {
      argument.constant = argument.sizes.front().evaluate(symbols);
      continue;
    }
    c10::List<int64_t> list;
    for (const auto& size : argument.sizes) list.push_back(size.evaluate(symbols));
    argument.constant = std::move(list);
  }
}

Segment atSizes(const Segment& segment, std::span<const int64_t> symbols) {
  Segment made = segment;
  for (auto& op : made.operators) evaluate(op, symbols);
  for (auto& outer : made.outer) evaluate(outer.symbolic, symbols, outer.facts);
  for (auto& value : made.values) evaluate(value.symbolic, symbols, value.facts);
  return made;
}

}  // namespace

void applyExpressions(Segment& segment, const SegmentGraph& general) {
  const Graph& graph = general.graph;
  for (size_t i = 0; i < segment.operators.size(); ++i) {
    if (segment.operators[i].isOutsideGraph) continue;
    const Node& node = graph.nodes[general.nodeOfOperator[i]];
    auto& arguments = segment.operators[i].arguments;
    for (size_t j = 0; j < arguments.size(); ++j) {
      arguments[j].sizes = symbolicSizes(node.arguments[j]);
    }
  }
  for (size_t id = 0; id < graph.values.size(); ++id) {
    const auto ref = general.valueRefs[id];
    const auto type = symbolicType(graph.values[id].type);
    if (segment.defines(ref)) segment.values[ref.index() - segment.firstValue].symbolic = type;
    for (auto& outer : segment.outer) {
      if (outer.ref == ref) outer.symbolic = type;
    }
  }
}

ProgramState::Learned atSizes(const ProgramState::Learned& learned,
                              std::span<const int64_t> symbols) {
  ProgramState::Learned made = learned;
  for (size_t i = 0; i < made.tree.size(); ++i) {
    TreeNode& node = made.tree.node(static_cast<int>(i));
    node.segment = std::make_shared<const Segment>(atSizes(*node.segment, symbols));
  }
  made.symbolValues.assign(symbols.begin(), symbols.end());
  return made;
}

SampleWalk::SampleWalk(const ProgramState& state,
                       std::shared_ptr<const ProgramState::Learned> sample,
                       std::vector<int64_t> values)
    : state_(state), sample_(std::move(sample)), values_(std::move(values)) {}

SegmentGraph SampleWalk::concreteGraph(const Segment& segment,
                                       std::span<const int64_t> symbols) const {
  const auto inputs = state_.inputNames();
  return graphOf(segment, {},
                 {.name = "sample",
                  .inputs = inputs,
                  .symbols = state_.symbols,
                  .symbolValues = symbols,
                  .withExpressions = false});
}

bool SampleWalk::generalizeNext(Segment& segment, std::span<const int64_t> symbols) {
  if (!failure_.empty()) return false;
  SegmentGraph general = concreteGraph(segment, symbols);
  if (!sample_) {
    general.graph = hypothesize(general.graph, symbols);
    applyExpressions(segment, general);
    return true;
  }
  std::string failure = "the earlier capture ended before " + general.graph.name;
  const SegmentTree& tree = sample_->unsplit ? *sample_->unsplit : sample_->tree;
  for (const int child : tree.childrenOf(node_)) {
    const Segment& other = *tree.node(child).segment;
    SegmentGraph left = concreteGraph(other, values_);
    const auto merged = generalize(left.graph, values_, general.graph, symbols);
    if (!merged) {
      // Lines are looked up in the debug information, which only a failure is worth.
      fillSources(left, other);
      failure = generalize(left.graph, values_, general.graph, symbols).error().text;
      continue;
    }
    node_ = child;
    general.graph = *merged;
    applyExpressions(segment, general);
    return true;
  }
  failure_ = failure;
  return false;
}

}  // namespace jitscope::compiler
