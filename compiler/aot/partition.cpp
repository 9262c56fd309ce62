#include "compiler/aot/partition.h"

#include <algorithm>

#include "compiler/aot/recompute_graph.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

std::vector<GraphInput> inputsOf(const JointGraph& joint, size_t first, size_t count) {
  const auto begin = joint.graph.inputs.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// What has an effect beside its results, and must run once.
std::vector<bool> keptNodes(const JointGraph& joint) {
  std::vector<bool> isKept(joint.graph.nodes.size());
  for (size_t i = 0; i < joint.forwardNodeCount; ++i) {
    isKept[i] = joint.facts[i].isRandom || joint.graph.nodes[i].results.empty();
  }
  return isKept;
}

SubGraph forwardGraph(const JointGraph& joint, const std::vector<ValueId>& saved) {
  const auto offered = inputsOf(joint, 0, joint.primalCount + joint.constantCount);
  std::vector<ValueId> wanted = joint.forwardOutputs;
  wanted.insert(wanted.end(), saved.begin(), saved.end());
  return extract(joint.graph, offered, wanted, keptNodes(joint));
}

SubGraph backwardGraph(const JointGraph& joint, const std::vector<ValueId>& saved,
                       const BackwardPart& part) {
  std::vector<GraphInput> offered;
  for (const ValueId id : saved) {
    const auto primal =
        std::find_if(joint.graph.inputs.begin(),
                     joint.graph.inputs.begin() + static_cast<std::ptrdiff_t>(joint.primalCount),
                     [&](const GraphInput& input) { return input.value == id; });
    const bool isPrimal =
        static_cast<size_t>(primal - joint.graph.inputs.begin()) < joint.primalCount;
    offered.push_back({id, isPrimal ? primal->source : joint.graph.value(id).name});
  }
  const auto others = inputsOf(joint, joint.primalCount, joint.constantCount + joint.tangentCount);
  offered.insert(offered.end(), others.begin(), others.end());
  std::vector<ValueId> wanted;
  for (const ValueId id : part.gradients) {
    if (id != ValueId::kNone) wanted.push_back(id);
  }
  return extract(joint.graph, offered, wanted, {});
}

}  // namespace

std::vector<ValueId> savedByAutograd(const JointGraph& joint) {
  std::vector<bool> isForward(joint.graph.values.size()), isSaved(joint.graph.values.size());
  const auto mark = [](std::vector<bool>& marks, ValueId id) {
    if (id != ValueId::kNone) marks[static_cast<size_t>(id)] = true;
  };
  for (size_t i = 0; i < joint.primalCount; ++i) mark(isForward, joint.graph.inputs[i].value);
  for (size_t i = 0; i < joint.graph.nodes.size(); ++i) {
    const Node& node = joint.graph.nodes[i];
    if (i >= joint.forwardNodeCount) {
      for (const auto& argument : node.arguments) {
        forEachValue(argument.value, [&](ValueId id) { mark(isSaved, id); });
      }
      continue;
    }
    for (const auto& result : node.results) {
      forEachValue(result, [&](ValueId id) { mark(isForward, id); });
    }
  }
  for (const BackwardPart& part : joint.parts) {
    for (const ValueId id : part.gradients) mark(isSaved, id);
  }
  std::vector<ValueId> saved;
  for (size_t i = 0; i < isSaved.size(); ++i) {
    if (isSaved[i] && isForward[i]) saved.push_back(static_cast<ValueId>(i));
  }
  return saved;
}

Partition partition(const JointGraph& joint) {
  Partition made;
  if (!joint.parts.empty()) made.saved = RecomputeGraph(joint).cheapestCut();
  made.forward = forwardGraph(joint, made.saved);
  for (const BackwardPart& part : joint.parts) {
    made.backward.push_back(backwardGraph(joint, made.saved, part));
  }
  return made;
}

}  // namespace jitscope::compiler
