#include "compiler/frontend/segment_tree.h"

#include <set>

namespace jitscope::compiler {
namespace {

/// The first `position` operators of a segment.
Segment headOf(const Segment& whole, size_t position) {
  Segment head;
  head.firstValue = whole.firstValue;
  head.operators.assign(whole.operators.begin(),
                        whole.operators.begin() + static_cast<std::ptrdiff_t>(position));
  const size_t count = position == 0 ? 0 : head.operators.back().valuesAfter;
  head.values.assign(whole.values.begin(),
                     whole.values.begin() + static_cast<std::ptrdiff_t>(count));
  std::set<ValueRef> used;
  for (const auto& op : head.operators) {
    forEachArgument(op, [&](ValueRef ref) { used.insert(ref); });
  }
  for (const auto& outer : whole.outer) {
    if (used.contains(outer.ref)) head.outer.push_back(outer);
  }
  head.end.kind = SegmentEnd::Kind::kDivergence;
  return head;
}

/// What is known of a tensor that the rest of a segment takes from its head.
OuterValue outerOfRest(const Segment& whole, const Segment& head, ValueRef ref) {
  for (const auto& outer : whole.outer) {
    if (outer.ref == ref) return outer;
  }
  const auto& value = whole.value(ref);
  OuterValue outer{ref, value.facts, value.storageOwner};
  for (const auto& op : head.operators) {
    for (size_t i = 0; i < op.mutated.size(); ++i) {
      if (op.mutated[i] == ref) outer.facts.requiresGrad = op.mutatedGradients[i];
    }
  }
  return outer;
}

Segment restOf(const Segment& whole, const Segment& head, size_t position) {
  Segment rest;
  rest.firstValue = head.endValue();
  rest.operators.assign(whole.operators.begin() + static_cast<std::ptrdiff_t>(position),
                        whole.operators.end());
  for (auto& op : rest.operators) op.valuesAfter -= head.values.size();
  rest.values.assign(whole.values.begin() + static_cast<std::ptrdiff_t>(head.values.size()),
                     whole.values.end());
  rest.end = whole.end;
  if (rest.end.op) rest.end.op->valuesAfter -= head.values.size();
  std::set<ValueRef> seen;
  for (const auto& op : rest.operators) {
    forEachArgument(op, [&](ValueRef ref) {
      const bool isInner = rest.defines(ref) && rest.value(ref).kind == SegmentValue::Kind::kResult;
      if (ref.isNone() || isInner || !seen.insert(ref).second) return;
      rest.outer.push_back(outerOfRest(whole, head, ref));
    });
  }
  return rest;
}

}  // namespace

std::vector<ValueRef> TreeNode::outputs() const {
  std::vector<ValueRef> refs;
  const size_t last = segment->operators.empty() ? 0 : segment->operators.back().valuesAfter;
  for (size_t i = 0; i < last; ++i) {
    const bool isResult = segment->values[i].kind == SegmentValue::Kind::kResult;
    if (isOutput[i] && isResult) refs.push_back(ValueRef::value(segment->firstValue + i));
  }
  return refs;
}

int SegmentTree::add(int parent, Segment segment, std::vector<bool> isOutput) {
  const int number = static_cast<int>(nodes_.size());
  isOutput.resize(segment.values.size());
  nodes_.push_back({std::make_shared<const Segment>(std::move(segment)),
                    std::move(isOutput),
                    nullptr,
                    parent,
                    {}});
  (parent == TreeNode::kRoot ? roots_ : node(parent).children).push_back(number);
  return number;
}

void SegmentTree::split(int number, size_t position, const std::vector<bool>& isNeeded) {
  const auto whole = node(number).segment;
  Segment head = headOf(*whole, position);
  Segment rest = restOf(*whole, head, position);
  head.userReason = rest.userReason = whole->userReason;
  analyze(head);
  analyze(rest);

  std::vector<bool> headOutputs(head.values.size());
  for (size_t i = 0; i < headOutputs.size(); ++i) {
    headOutputs[i] = node(number).isOutput[i] || (i < isNeeded.size() && isNeeded[i]);
  }
  for (const auto& outer : rest.outer) {
    if (head.defines(outer.ref)) headOutputs[outer.ref.index() - head.firstValue] = true;
  }
  std::vector<bool> restOutputs(
      node(number).isOutput.begin() + static_cast<std::ptrdiff_t>(head.values.size()),
      node(number).isOutput.end());

  TreeNode child{std::make_shared<const Segment>(std::move(rest)), std::move(restOutputs), nullptr,
                 number, std::move(node(number).children)};
  const int childNumber = static_cast<int>(nodes_.size());
  for (const int grandchild : child.children) node(grandchild).parent = childNumber;
  nodes_.push_back(std::move(child));
  TreeNode& changed = node(number);
  changed.segment = std::make_shared<const Segment>(std::move(head));
  changed.isOutput = std::move(headOutputs);
  changed.compiled = nullptr;
  changed.children = {childNumber};
}

}  // namespace jitscope::compiler
