#include "compiler/aot/recompute_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/aot/flow_network.h"
#include "compiler/aot/operator_class.h"
#include "compiler/aot/partition.h"
#include "compiler/graph/traverse.h"
#include "compiler/graph/type_name.h"

namespace jitscope::compiler {
namespace {

template <class Visit>
void forEachMade(const Node& node, Visit visit) {
  for (const NodeResult& result : node.results) {
    forEachValue(result, [&](ValueId id) {
      if (id != ValueId::kNone) visit(id);
    });
  }
}

// The heuristics of AOTAutograd's partitioner, with its numbers.
constexpr double kPerStep = 1.1;   ///< keeping what is far from the backward pass costs more
constexpr int kMostSteps = 100;    ///< that count for this
constexpr int kTooFar = 1000;      ///< steps after which nothing is computed again
constexpr int64_t kShrinking = 4;  ///< times; what shrinks so much is kept
constexpr int64_t kMostBytes = int64_t{1} << 44;  ///< so that the costs' sum stays a number

}  // namespace

RecomputeGraph::RecomputeGraph(const JointGraph& joint)
    : joint_(joint), values_(joint.graph.values.size()), steps_(joint.graph.nodes.size()) {
  readInputs();
  readNodes();
  measureDistances();
  findKeptPrimals();
}

void RecomputeGraph::readInputs() {
  const auto& inputs = joint_.graph.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    ValueFacts& facts = of(inputs[i].value);
    facts.isPrimal = i < joint_.primalCount;
    facts.isTangent = i >= joint_.primalCount + joint_.constantCount;
    facts.isConstant = !facts.isPrimal && !facts.isTangent;
  }
  for (const ValueId id : joint_.forwardOutputs) of(id).isOutput = true;
}

void RecomputeGraph::readNodes() {
  for (size_t i = 0; i < joint_.graph.nodes.size(); ++i) {
    const Node& node = joint_.graph.nodes[i];
    forEachRead(node, [&](ValueId id) {
      ValueFacts& facts = of(id);
      facts.users.push_back(i);
      const bool isMade = facts.maker != kNoNode;
      steps_[i].needsTangent |= facts.isTangent || (isMade && steps_[facts.maker].needsTangent);
    });
    forEachMade(node, [&](ValueId id) { of(id).maker = i; });
  }
}

void RecomputeGraph::measureDistances() {
  for (size_t i = steps_.size(); i-- > 0;) {
    if (steps_[i].needsTangent) {
      steps_[i].distance = 0;
      continue;
    }
    forEachMade(joint_.graph.nodes[i], [&](ValueId id) {
      for (const size_t user : of(id).users) {
        steps_[i].distance = std::min(steps_[i].distance, steps_[user].distance + 1);
      }
    });
  }
}

/// A user's later write to a primal that is kept is an error at the backward pass: it may only be
/// one that is an error without jitscope too.
void RecomputeGraph::findKeptPrimals() {
  std::vector<ValueId> queue = savedByAutograd(joint_);
  for (size_t i = 0; i < queue.size(); ++i) {
    const size_t maker = of(queue[i]).maker;
    const bool wasKnown = std::exchange(of(queue[i]).isKeptByAutograd, true);
    if (wasKnown || maker == kNoNode || !isView(maker)) continue;
    forEachRead(joint_.graph.nodes[maker], [&](ValueId viewed) { queue.push_back(viewed); });
  }
}

bool RecomputeGraph::isView(size_t node) const {
  return joint_.facts[node].isView || classOf(joint_.graph.nodes[node]) == OperatorClass::kView;
}

bool RecomputeGraph::mayRunTwice(size_t node) const {
  if (joint_.facts[node].isRandom || joint_.graph.nodes[node].results.empty()) return false;
  if (isView(node)) return true;
  return classOf(joint_.graph.nodes[node]) != OperatorClass::kOther &&
         steps_[node].distance <= kTooFar && !shrinksMuch(node) && !feedsLibraryInBackward(node);
}

/// Then it would be written to memory again, which costs as much as to keep it.
bool RecomputeGraph::feedsLibraryInBackward(size_t node) const {
  std::vector<size_t> queue{node};
  for (size_t i = 0; i < queue.size(); ++i) {
    bool isFed = false;
    forEachMade(joint_.graph.nodes[queue[i]], [&](ValueId id) {
      for (const size_t user : of(id).users) {
        const bool isLibrary = classOf(joint_.graph.nodes[user]) == OperatorClass::kOther;
        isFed |= steps_[user].needsTangent && isLibrary && !isView(user);
        if (isView(user)) queue.push_back(user);
      }
    });
    if (isFed) return true;
  }
  return false;
}

bool RecomputeGraph::shrinksMuch(size_t node) const {
  int64_t read = 0, made = 0;
  forEachRead(joint_.graph.nodes[node], [&](ValueId id) { read += bytes(id); });
  forEachMade(joint_.graph.nodes[node], [&](ValueId id) { made += bytes(id); });
  return made * kShrinking < read;
}

bool RecomputeGraph::isInMemoryAnyway(ValueId id) const {
  const ValueFacts& facts = of(id);
  if (facts.isPrimal || facts.isOutput || facts.maker == kNoNode) return true;
  const auto isLibrary = [&](size_t node) {
    return classOf(joint_.graph.nodes[node]) == OperatorClass::kOther && !isView(node);
  };
  return isLibrary(facts.maker) || std::any_of(facts.users.begin(), facts.users.end(), isLibrary);
}

int64_t RecomputeGraph::bytes(ValueId id) const {
  const TensorType& type = joint_.graph.value(id).type;
  std::vector<int64_t> hints;
  for (const GraphSymbol& symbol : joint_.graph.symbols) hints.push_back(symbol.hint);
  int64_t total = dataTypeBytes(type.dataType);
  for (const SizeExpression& size : type.sizes) {
    total *= std::min(std::max<int64_t>(size.evaluate(hints), 0), kMostBytes);
    total = std::min(total, kMostBytes);
  }
  return total;
}

int64_t RecomputeGraph::costOfKeeping(ValueId id) const {
  const ValueFacts& facts = of(id);
  if (facts.isPrimal && !facts.isKeptByAutograd) return FlowNetwork::kUncuttable;
  // A view is taken again rather than kept, where it may be.
  if (facts.maker != kNoNode && isView(facts.maker) && mayRunTwice(facts.maker)) {
    return FlowNetwork::kUncuttable;
  }
  int distance = kFar;
  for (const size_t user : facts.users) distance = std::min(distance, steps_[user].distance + 1);
  const double steps = std::clamp(distance, 1, kMostSteps);
  const double cost = static_cast<double>(bytes(id)) * std::pow(kPerStep, steps);
  const double capped = std::min(cost, static_cast<double>(kMostBytes)) + 1;
  return static_cast<int64_t>(capped) * (isInMemoryAnyway(id) ? 1 : 2);
}

std::vector<ValueId> RecomputeGraph::cheapestCut() const {
  constexpr size_t kSource = 0, kSink = 1, kFirst = 2;
  const auto in = [](ValueId id) { return kFirst + 2 * static_cast<size_t>(id); };
  const auto out = [&](ValueId id) { return in(id) + 1; };
  const size_t firstStep = kFirst + 2 * values_.size();
  FlowNetwork network(firstStep + steps_.size());
  const auto isFree = [&](ValueId id) { return of(id).isConstant || of(id).isTangent; };

  for (size_t i = 0; i < values_.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    if (isFree(id)) continue;
    network.addEdge(in(id), out(id), costOfKeeping(id));
    if (of(id).isPrimal) network.addEdge(kSource, in(id), FlowNetwork::kUncuttable);
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Node& node = joint_.graph.nodes[i];
    const size_t target = steps_[i].needsTangent ? kSink : firstStep + i;
    forEachRead(node, [&](ValueId id) {
      const bool isMadeOfTangents = of(id).maker != kNoNode && steps_[of(id).maker].needsTangent;
      if (isFree(id) || isMadeOfTangents) return;
      network.addEdge(out(id), target, FlowNetwork::kUncuttable);
    });
    if (steps_[i].needsTangent) continue;
    if (!mayRunTwice(i)) network.addEdge(kSource, firstStep + i, FlowNetwork::kUncuttable);
    forEachMade(node, [&](ValueId id) {
      network.addEdge(firstStep + i, in(id), FlowNetwork::kUncuttable);
    });
  }
  for (const BackwardPart& part : joint_.parts) {
    for (const ValueId id : part.gradients) {
      if (id == ValueId::kNone || isFree(id)) continue;
      const bool isMadeOfTangents = of(id).maker != kNoNode && steps_[of(id).maker].needsTangent;
      if (!isMadeOfTangents) network.addEdge(out(id), kSink, FlowNetwork::kUncuttable);
    }
  }

  const std::vector<bool> isSourceSide = network.cut(kSource, kSink);
  std::vector<ValueId> kept;
  for (size_t i = 0; i < values_.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    if (!isFree(id) && isSourceSide[in(id)] && !isSourceSide[out(id)]) kept.push_back(id);
  }
  return kept;
}

}  // namespace jitscope::compiler
