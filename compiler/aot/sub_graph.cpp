#include "compiler/aot/sub_graph.h"

#include <algorithm>

#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

class Extraction {
 public:
  Extraction(const Graph& graph, std::span<const GraphInput> offered)
      : graph_(graph),
        offered_(offered),
        isOffered_(graph.values.size()),
        isNeeded_(graph.values.size()),
        newIds_(graph.values.size(), ValueId::kNone) {
    for (const GraphInput& input : offered) isOffered_[indexOf(input.value)] = true;
  }

  SubGraph run(std::span<const ValueId> wanted, const std::vector<bool>& isKept) {
    made_.graph.name = graph_.name;
    made_.graph.symbols = graph_.symbols;
    const std::vector<bool> isLive = liveNodes(wanted, isKept);
    for (size_t i = 0; i < offered_.size(); ++i) addInput(i);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (isLive[i]) addNode(graph_.nodes[i]);
    }
    for (const ValueId id : wanted) addWanted(id);
    nameValues(made_.graph);
    return std::move(made_);
  }

 private:
  static size_t indexOf(ValueId id) { return static_cast<size_t>(id); }

  std::vector<bool> liveNodes(std::span<const ValueId> wanted, const std::vector<bool>& isKept) {
    std::vector<bool> isLive(graph_.nodes.size());
    const auto need = [&](ValueId id) {
      if (id != ValueId::kNone) isNeeded_[indexOf(id)] = true;
    };
    for (const ValueId id : wanted) need(id);
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& node = graph_.nodes[i];
      bool isNodeNeeded = !isKept.empty() && isKept[i];
      for (const NodeResult& result : node.results) {
        forEachValue(result, [&](ValueId id) {
          isNodeNeeded |=
              id != ValueId::kNone && isNeeded_[indexOf(id)] && !isOffered_[indexOf(id)];
        });
      }
      if (!isNodeNeeded) continue;
      isLive[i] = true;
      for (const Argument& argument : node.arguments) forEachValue(argument.value, need);
    }
    return isLive;
  }

  ValueId copied(ValueId old) {
    if (old == ValueId::kNone) return old;
    ValueId& id = newIds_[indexOf(old)];
    if (id != ValueId::kNone) return id;
    id = static_cast<ValueId>(made_.graph.values.size());
    made_.graph.values.push_back({"", graph_.value(old).type});
    return id;
  }

  void addInput(size_t position) {
    const GraphInput& input = offered_[position];
    if (!isNeeded_[indexOf(input.value)]) return;
    made_.inputs.push_back(position);
    made_.graph.inputs.push_back({copied(input.value), input.source});
  }

  void addNode(const Node& node) {
    Node made = node;
    for (Argument& argument : made.arguments) {
      if (auto* id = std::get_if<ValueId>(&argument.value)) *id = copied(*id);
      if (auto* list = std::get_if<std::vector<ValueId>>(&argument.value)) {
        for (ValueId& id : *list) id = copied(id);
      }
    }
    for (NodeResult& result : made.results) {
      if (auto* id = std::get_if<ValueId>(&result)) *id = resultOf(*id);
      if (auto* list = std::get_if<std::vector<ValueId>>(&result)) {
        for (ValueId& id : *list) id = resultOf(id);
      }
    }
    made_.graph.nodes.push_back(std::move(made));
  }

  /// A result that is offered is there already; nobody reads it of the operator.
  ValueId resultOf(ValueId old) {
    const bool isGiven = old != ValueId::kNone && isOffered_[indexOf(old)];
    return isGiven ? ValueId::kNone : copied(old);
  }

  void addWanted(ValueId id) {
    if (isOffered_[indexOf(id)]) {
      const auto found = std::find_if(offered_.begin(), offered_.end(),
                                      [&](const GraphInput& input) { return input.value == id; });
      made_.wanted.push_back({true, static_cast<size_t>(found - offered_.begin())});
      return;
    }
    auto& outputs = made_.graph.outputs;
    const auto found = std::find(outputs.begin(), outputs.end(), copied(id));
    made_.wanted.push_back({false, static_cast<size_t>(found - outputs.begin())});
    if (found == outputs.end()) outputs.push_back(copied(id));
  }

  const Graph& graph_;
  const std::span<const GraphInput> offered_;
  std::vector<bool> isOffered_, isNeeded_;
  std::vector<ValueId> newIds_;
  SubGraph made_;
};

}  // namespace

SubGraph extract(const Graph& graph, std::span<const GraphInput> offered,
                 std::span<const ValueId> wanted, const std::vector<bool>& isKept) {
  return Extraction(graph, offered).run(wanted, isKept);
}

}  // namespace jitscope::compiler
