#include "compiler/frontend/segment_graph.h"

#include <map>

#include "compiler/frontend/constant_attribute.h"

namespace jitscope::compiler {
namespace {

class GraphBuilder {
 public:
  GraphBuilder(const Segment& segment, const GraphNaming& naming)
      : segment_(segment), naming_(naming) {
    made_.graph.name = naming.name;
    for (size_t i = 0; i < naming.symbols.size(); ++i) addSymbol(i);
    for (const auto& outer : segment.outer) addInput(outer);
  }

  SegmentGraph build(std::vector<ValueRef> outputs) {
    if (!segment_.operators.empty()) {
      modes_ = naming_.initialModes ? *naming_.initialModes : startModes(segment_);
    }
    for (const auto& op : segment_.operators) {
      if (op.isOutsideGraph) {
        made_.nodeOfOperator.push_back(SegmentGraph::kNoNode);
        continue;
      }
      addModeChanges(op.modes);
      made_.nodeOfOperator.push_back(made_.graph.nodes.size());
      addNode(op);
    }
    for (const auto ref : outputs) made_.graph.outputs.push_back(idOf(ref));
    made_.outputs = std::move(outputs);
    nameValues(made_.graph);
    return std::move(made_);
  }

 private:
  void addSymbol(size_t position) {
    const auto& symbol = naming_.symbols[position];
    GraphSymbol made{"s" + std::to_string(position),
                     symbol.source,
                     naming_.symbolValues[position],
                     symbol.minimum,
                     symbol.maximum,
                     {}};
    for (const SizePosition& other : symbol.alsoAt) made.equalSources.push_back(other.source);
    made_.graph.symbols.push_back(std::move(made));
  }

  void addInput(const OuterValue& outer) {
    std::string source;
    if (outer.ref.isInput()) {
      source = naming_.inputs[outer.ref.index()].source;
    } else if (segment_.defines(outer.ref)) {
      source = "C['captured_" + std::to_string(captured_++) + "']";
    } else {
      source = "V['value_" + std::to_string(outer.ref.index()) + "']";
    }
    const auto id = addValue(outer.ref, typeOf(outer.facts, outer.symbolic));
    made_.graph.inputs.push_back({id, std::move(source)});
    made_.inputs.push_back(outer.ref);
  }

  TensorType typeOf(const TensorFacts& facts,
                    const std::shared_ptr<const TensorType>& symbolic) const {
    return symbolic && naming_.withExpressions ? *symbolic : concreteType(facts);
  }

  ValueId addValue(ValueRef ref, TensorType type) {
    const auto id = static_cast<ValueId>(made_.graph.values.size());
    made_.graph.values.push_back({"", std::move(type)});
    made_.valueRefs.push_back(ref);
    ids_.insert_or_assign(ref, id);
    return id;
  }

  ValueId idOf(ValueRef ref) const { return ref.isNone() ? ValueId::kNone : ids_.at(ref); }

  void addModeChanges(const ModeState& modes) {
    if (modes.isInferenceMode != modes_.isInferenceMode) {
      addModeNode("jitscope::set_inference_mode", {{"enabled", Attribute(modes.isInferenceMode)}});
    }
    if (modes.isGradEnabled != modes_.isGradEnabled) {
      addModeNode("jitscope::set_grad_enabled", {{"enabled", Attribute(modes.isGradEnabled)}});
    }
    for (size_t i = 0; i < modes.autocast.size(); ++i) {
      if (modes.autocast[i] == modes_.autocast[i]) continue;
      const auto kind = static_cast<int8_t>(ModeState::kAutocastDevices[i]);
      addModeNode("jitscope::set_autocast",
                  {{"device", Attribute(DeviceName{kind, -1})},
                   {"enabled", Attribute(modes.autocast[i].isEnabled)},
                   {"dtype", Attribute(static_cast<DataType>(modes.autocast[i].dataType))}});
    }
    modes_ = modes;
  }

  void addModeNode(std::string op, std::vector<Argument> arguments) {
    Node node;
    node.op = std::move(op);
    node.arguments = std::move(arguments);
    made_.graph.nodes.push_back(std::move(node));
  }

  void addNode(const RecordedOperator& op) {
    Node node;
    node.op = op.handle.operator_name().name;
    node.overload = op.handle.operator_name().overload_name;
    const auto& schema = op.handle.schema().arguments();
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      node.arguments.push_back(argumentOf(op.arguments[i], schema[i]));
    }
    for (const auto& result : op.results) {
      if (!result.isList) {
        node.results.emplace_back(resultOf(result.tensor));
        continue;
      }
      std::vector<ValueId> list;
      for (const auto ref : result.tensors) list.push_back(resultOf(ref));
      node.results.emplace_back(std::move(list));
    }
    made_.graph.nodes.push_back(std::move(node));
  }

  Argument argumentOf(const RecordedArgument& argument, const c10::Argument& schema) const {
    if (argument.kind == RecordedArgument::Kind::kConstant) {
      if (argument.sizes.empty() || !naming_.withExpressions) {
        return {schema.name(), attributeOf(argument.constant, schema)};
      }
      if (argument.constant.isInt()) return {schema.name(), Attribute(argument.sizes.front())};
      return {schema.name(), Attribute(argument.sizes)};
    }
    if (argument.kind == RecordedArgument::Kind::kTensor) {
      return {schema.name(), idOf(argument.tensor)};
    }
    std::vector<ValueId> list;
    for (const auto ref : argument.tensors) list.push_back(idOf(ref));
    return {schema.name(), std::move(list)};
  }

  ValueId resultOf(ValueRef ref) {
    if (ref.isNone()) return ValueId::kNone;
    if (const auto known = ids_.find(ref); known != ids_.end()) return known->second;
    const auto& value = segment_.value(ref);
    return addValue(ref, typeOf(value.facts, value.symbolic));
  }

  const Segment& segment_;
  const GraphNaming& naming_;
  SegmentGraph made_;
  std::map<ValueRef, ValueId> ids_;
  ModeState modes_;
  int captured_ = 0;
};

}  // namespace

SegmentGraph graphOf(const Segment& segment, std::vector<ValueRef> outputs,
                     const GraphNaming& naming) {
  return GraphBuilder(segment, naming).build(std::move(outputs));
}

void fillSources(SegmentGraph& graph, const Segment& segment) {
  for (size_t i = 0; i < segment.operators.size(); ++i) {
    if (segment.operators[i].isOutsideGraph) continue;
    graph.graph.nodes[graph.nodeOfOperator[i]].source = userLine(segment.operators[i].stack);
  }
}

}  // namespace jitscope::compiler
