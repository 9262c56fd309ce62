#include "compiler/aot/pieces.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/aot/operator_class.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

bool isModeChange(const Node& node) { return node.op.starts_with("jitscope::"); }

/// What is known of a value, and of all that share its memory by views.
class SharedMemory {
 public:
  explicit SharedMemory(const Graph& graph) : parents_(graph.values.size()) {
    for (size_t i = 0; i < parents_.size(); ++i) parents_[i] = i;
    for (const Node& node : graph.nodes) {
      if (classOf(node) != OperatorClass::kView) continue;
      ValueId viewed = ValueId::kNone;
      for (const Argument& argument : node.arguments) {
        forEachValue(argument.value, [&](ValueId id) {
          if (viewed == ValueId::kNone) viewed = id;
        });
      }
      for (const NodeResult& result : node.results) {
        forEachValue(result, [&](ValueId id) { join(id, viewed); });
      }
    }
  }

  size_t ownerOf(ValueId id) const {
    size_t owner = static_cast<size_t>(id);
    while (parents_[owner] != owner) owner = parents_[owner];
    return owner;
  }

 private:
  void join(ValueId a, ValueId b) {
    if (a == ValueId::kNone || b == ValueId::kNone) return;
    const size_t left = ownerOf(a), right = ownerOf(b);
    parents_[std::max(left, right)] = std::min(left, right);
  }

  std::vector<size_t> parents_;
};

/// Finds where pieces end. Memory is named by its owner, see SharedMemory.
class CutFinder {
 public:
  explicit CutFinder(const Graph& graph)
      : graph_(graph),
        memory_(graph),
        hasGradient_(graph.values.size()),
        isVisible_(graph.values.size()),
        lastWrite_(graph.values.size(), 0),
        leadsOut_(graph.values.size()) {}

  /// The nodes that pieces after the first begin with.
  std::vector<size_t> find() {
    followForward();
    return followBackward();
  }

 private:
  bool isResultOf(const Node& node, ValueId id) const {
    bool isRead = false;
    for (const Argument& argument : node.arguments) {
      forEachValue(argument.value, [&](ValueId read) { isRead |= read == id; });
    }
    return !isRead;
  }

  /// Which memory requires gradient, can be seen from outside, and is made or written where.
  void followForward() {
    for (const GraphInput& input : graph_.inputs) {
      if (graph_.value(input.value).type.requiresGrad) hasGradient_[owner(input.value)] = true;
    }
    for (const ValueId id : graph_.outputs) isVisible_[owner(id)] = true;
    std::set<size_t> inputs;
    for (const GraphInput& input : graph_.inputs) inputs.insert(owner(input.value));
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      bool reads = false;
      forEachRead(node, [&](ValueId id) { reads |= hasGradient_[owner(id)]; });
      const bool isView = classOf(node) == OperatorClass::kView;
      for (const NodeResult& result : node.results) {
        forEachValue(result, [&](ValueId id) {
          if (id == ValueId::kNone) return;
          const size_t memory = owner(id);
          const bool isNew = isResultOf(node, id);
          hasGradient_[memory] =
              hasGradient_[memory] || (isNew ? graph_.value(id).type.requiresGrad : reads);
          if (isView && isNew) return;
          lastWrite_[memory] = i + 1;
          if (!isNew && inputs.contains(memory)) isVisible_[memory] = true;
        });
      }
    }
  }

  /// From the end: which nodes something visible with gradient hangs on.
  std::vector<size_t> followBackward() {
    std::set<size_t> cuts;
    for (const ValueId id : graph_.outputs) leadsOut_[owner(id)] = hasGradient_[owner(id)];
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& node = graph_.nodes[i];
      if (classOf(node) == OperatorClass::kView) continue;
      bool isNeeded = false;
      for (const NodeResult& result : node.results) {
        forEachValue(result, [&](ValueId id) {
          if (id == ValueId::kNone) return;
          isNeeded |= leadsOut_[owner(id)] || (isVisible_[owner(id)] && hasGradient_[owner(id)]);
        });
      }
      if (!isNeeded) continue;
      forEachRead(node, [&](ValueId id) {
        const size_t memory = owner(id);
        const bool isSeen = isVisible_[memory] && hasGradient_[memory];
        // Written afterwards, it is not what can be seen.
        if (isSeen && lastWrite_[memory] > 0 && lastWrite_[memory] <= i) {
          cuts.insert(lastWrite_[memory]);
        }
        leadsOut_[memory] = leadsOut_[memory] || hasGradient_[memory];
      });
    }
    return {cuts.begin(), cuts.end()};
  }

  size_t owner(ValueId id) const { return memory_.ownerOf(id); }

  const Graph& graph_;
  const SharedMemory memory_;
  std::vector<bool> hasGradient_, isVisible_;  ///< by owner
  std::vector<size_t> lastWrite_;              ///< by owner: the node after it; 0 for none
  std::vector<bool> leadsOut_;                 ///< by owner, while going backward
};

/// Cuts nodes out of a graph.
class Slicer {
 public:
  explicit Slicer(const Graph& graph) : graph_(graph), lastReader_(graph.values.size(), 0) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const Argument& argument : graph.nodes[i].arguments) {
        forEachValue(argument.value, [&](ValueId id) {
          if (id != ValueId::kNone) lastReader_[static_cast<size_t>(id)] = i;
        });
      }
    }
    for (const ValueId id : graph.outputs)
      lastReader_[static_cast<size_t>(id)] = graph.nodes.size();
  }

  GraphPiece slice(size_t begin, size_t end, size_t number) {
    piece_ = {};
    newIds_.assign(graph_.values.size(), ValueId::kNone);
    piece_.graph.name = graph_.name + "_" + std::to_string(number);
    piece_.graph.symbols = graph_.symbols;
    addModesBefore(begin);
    std::vector<ValueId> made;
    for (size_t i = begin; i < end; ++i) addNode(graph_.nodes[i], made);
    for (const ValueId id : made) {
      if (lastReader_[static_cast<size_t>(id)] < end) continue;
      piece_.outputs.push_back(id);
      piece_.graph.outputs.push_back(newIds_[static_cast<size_t>(id)]);
    }
    nameValues(piece_.graph);
    return std::move(piece_);
  }

 private:
  /// The modes that the nodes before leave behind.
  void addModesBefore(size_t begin) {
    std::map<std::pair<std::string, int>, const Node*> inForce;
    for (size_t i = 0; i < begin; ++i) {
      const Node& node = graph_.nodes[i];
      if (!isModeChange(node)) continue;
      const auto* attribute = std::get_if<Attribute>(&node.arguments.front().value);
      const auto* device = attribute ? std::get_if<DeviceName>(attribute) : nullptr;
      inForce[{node.op, device ? device->kind : 0}] = &node;
    }
    for (const auto& [kind, node] : inForce) piece_.graph.nodes.push_back(*node);
  }

  ValueId define(ValueId old) {
    const auto id = static_cast<ValueId>(piece_.graph.values.size());
    piece_.graph.values.push_back(graph_.value(old));
    newIds_[static_cast<size_t>(old)] = id;
    return id;
  }

  ValueId read(ValueId old) {
    if (old == ValueId::kNone) return old;
    const ValueId known = newIds_[static_cast<size_t>(old)];
    if (known != ValueId::kNone) return known;
    const auto input = std::find_if(graph_.inputs.begin(), graph_.inputs.end(),
                                    [&](const GraphInput& other) { return other.value == old; });
    std::string source =
        input != graph_.inputs.end() ? input->source : "V['" + graph_.value(old).name + "']";
    piece_.inputs.push_back(old);
    const ValueId id = define(old);
    piece_.graph.inputs.push_back({id, std::move(source)});
    return id;
  }

  void addNode(const Node& node, std::vector<ValueId>& made) {
    Node copy = node;
    for (Argument& argument : copy.arguments) {
      if (auto* id = std::get_if<ValueId>(&argument.value)) *id = read(*id);
      if (auto* list = std::get_if<std::vector<ValueId>>(&argument.value)) {
        for (ValueId& id : *list) id = read(id);
      }
    }
    const auto give = [&](ValueId& id) {
      if (id == ValueId::kNone) return;
      const ValueId known = newIds_[static_cast<size_t>(id)];
      if (known == ValueId::kNone) made.push_back(id);
      id = known == ValueId::kNone ? define(id) : known;
    };
    for (NodeResult& result : copy.results) {
      if (auto* id = std::get_if<ValueId>(&result)) give(*id);
      if (auto* list = std::get_if<std::vector<ValueId>>(&result)) {
        for (ValueId& id : *list) give(id);
      }
    }
    piece_.graph.nodes.push_back(std::move(copy));
  }

  const Graph& graph_;
  std::vector<size_t> lastReader_;  ///< of each value the last node; past the end for outputs
  GraphPiece piece_;
  std::vector<ValueId> newIds_;
};

}  // namespace

std::vector<GraphPiece> piecesOf(const Graph& graph) {
  std::vector<size_t> ends = CutFinder(graph).find();
  ends.push_back(graph.nodes.size());
  Slicer slicer(graph);
  std::vector<GraphPiece> pieces;
  size_t begin = 0;
  for (const size_t end : ends) {
    if (end == begin) continue;
    pieces.push_back(slicer.slice(begin, end, pieces.size()));
    begin = end;
  }
  return pieces;
}

}  // namespace jitscope::compiler
