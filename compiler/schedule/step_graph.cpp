#include "compiler/schedule/step_graph.h"

#include <numeric>
#include <optional>

#include "compiler/graph/traverse.h"
#include "compiler/schedule/nest_rewriter.h"

namespace jitscope::compiler {

StepGraph::StepGraph(const LoopProgram& program, const Graph& graph)
    : program_(program), graph_(graph), root_(graph.values.size()) {
  std::iota(root_.begin(), root_.end(), 0);
  for (const TensorAlias& alias : program.aliases) {
    root_[static_cast<size_t>(alias.value)] = root_[static_cast<size_t>(alias.source)];
  }
  for (const LoopStep& step : program.steps) addStep(step);
  for (const ValueId id : graph.outputs) outputs_.insert(memoryOf(id));
  connect();
}

MemoryId StepGraph::memoryOf(ValueId value) const {
  return MemoryId{root_[static_cast<size_t>(value)]};
}

MemoryId StepGraph::memoryOf(BufferId buffer) const {
  const ValueId value = program_.buffer(buffer).value;
  if (value != ValueId::kNone) return memoryOf(value);
  return MemoryId{static_cast<int64_t>(root_.size()) + static_cast<int64_t>(buffer)};
}

void StepGraph::addStep(const LoopStep& step) {
  std::set<MemoryId> reads, writes;
  const auto* call = std::get_if<OpaqueCall>(&step);
  isOpaque_.push_back(call != nullptr);
  if (call) {
    const Node& node = graph_.nodes[call->node];
    const auto addTo = [&](std::set<MemoryId>& set) {
      return [&](ValueId id) {
        if (id != ValueId::kNone) set.insert(memoryOf(id));
      };
    };
    for (const Argument& argument : node.arguments) forEachValue(argument.value, addTo(reads));
    for (const NodeResult& result : node.results) forEachValue(result, addTo(writes));
  } else {
    const auto& nest = std::get<LoopNest>(step);
    forEachScalar(program_, nest, [&](ScalarId id) {
      const Scalar& scalar = program_.body[id];
      if (scalar.op == ScalarOp::kLoad) reads.insert(memoryOf(scalar.buffer));
    });
    for (const LoopStore& store : nest.stores) writes.insert(memoryOf(store.buffer));
  }
  reads_.push_back(std::move(reads));
  writes_.push_back(std::move(writes));
}

void StepGraph::connect() {
  const size_t count = reads_.size();
  needs_.resize(count);
  std::map<MemoryId, size_t> writer;
  for (size_t i = 0; i < count; ++i) {
    for (const MemoryId memory : writes_[i]) writer.emplace(memory, i);
  }
  std::optional<size_t> lastOpaque;
  for (size_t i = 0; i < count; ++i) {
    for (const MemoryId memory : reads_[i]) {
      const auto found = writer.find(memory);
      if (found != writer.end() && found->second != i) needs_[i].push_back(found->second);
    }
    // What LibTorch does may show elsewhere, as random numbers do: it keeps its order.
    if (isOpaque_[i] && lastOpaque) needs_[i].push_back(*lastOpaque);
    if (isOpaque_[i]) lastOpaque = i;
  }
  reachable_.assign(count, std::vector<bool>(count));
  for (const size_t step : order()) {
    for (const size_t need : needs_[step]) {
      reachable_[need][step] = true;
      for (size_t i = 0; i < count; ++i) {
        if (reachable_[i][need]) reachable_[i][step] = true;
      }
    }
  }
}

bool StepGraph::reaches(size_t earlier, size_t later) const { return reachable_[earlier][later]; }

bool StepGraph::isSeparated(size_t earlier, size_t later) const {
  for (size_t i = 0; i < reads_.size(); ++i) {
    if (reachable_[earlier][i] && reachable_[i][later]) return true;
  }
  return false;
}

std::vector<size_t> StepGraph::order() const {
  std::vector<size_t> result;
  std::vector<bool> isPlaced(reads_.size());
  const std::function<void(size_t)> place = [&](size_t step) {
    if (isPlaced[step]) return;
    isPlaced[step] = true;
    for (const size_t need : needs_[step]) place(need);
    result.push_back(step);
  };
  for (size_t i = 0; i < reads_.size(); ++i) place(i);
  return result;
}

}  // namespace jitscope::compiler
