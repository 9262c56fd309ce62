#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>

#include <memory>
#include <optional>
#include <utility>

#include "compiler/backend.h"
#include "compiler/graph/traverse.h"
#include "compiler/runtime/argument_plan.h"
#include "compiler/runtime/mode_nodes.h"

namespace jitscope::compiler {
namespace {

/// One node, resolved: nothing is looked up by name when it runs.
struct Step {
  std::optional<c10::OperatorHandle> op;  ///< none for a change of modes
  ModeChange modeChange;
  std::vector<ArgumentPlan> arguments;
  std::vector<NodeResult> results;  ///< kNone where nobody needs the tensor
  std::vector<ValueId> released;    ///< values whose last use is in a list of this node
};

/// For every value the last node that reads it; the number of nodes when it is an output.
std::vector<int64_t> lastUses(const Graph& graph) {
  std::vector<int64_t> last(graph.values.size(), -1);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Argument& argument : graph.nodes[i].arguments) {
      forEachValue(argument.value, [&](ValueId id) {
        if (id != ValueId::kNone) last[static_cast<size_t>(id)] = static_cast<int64_t>(i);
      });
    }
  }
  for (ValueId id : graph.outputs) {
    last[static_cast<size_t>(id)] = static_cast<int64_t>(graph.nodes.size());
  }
  return last;
}

class Planner {
 public:
  explicit Planner(const Graph& graph) : graph_(graph), lastUses_(lastUses(graph)) {}

  std::vector<Step> plan() {
    std::vector<Step> steps;
    for (size_t i = 0; i < graph_.nodes.size(); ++i) steps.push_back(planNode(i));
    return steps;
  }

 private:
  Step planNode(size_t index) {
    const Node& node = graph_.nodes[index];
    Step step;
    step.modeChange = modeChangeOf(node);
    if (step.modeChange.kind != ModeChange::Kind::kNone) return step;
    step.op = c10::Dispatcher::singleton().findSchema({node.op, node.overload});
    TORCH_CHECK(step.op.has_value(), "cannot run graph ", graph_.name,
                ": LibTorch has no operator ", node.op, node.overload.empty() ? "" : ".",
                node.overload);
    planArguments(node, step);
    planReleases(static_cast<int64_t>(index), step);
    for (const NodeResult& result : node.results) {
      step.results.push_back(neededOf(result, node, static_cast<int64_t>(index)));
    }
    return step;
  }

  void planArguments(const Node& node, Step& step) {
    const c10::FunctionSchema& schema = step.op->schema();
    size_t used = 0;
    for (const c10::Argument& parameter : schema.arguments()) {
      const Argument* argument = find(node, parameter.name());
      if (argument) {
        ++used;
        step.arguments.push_back(planChecked(node, *argument, parameter));
      } else {
        TORCH_CHECK(parameter.default_value().has_value(), "cannot run graph ", graph_.name, ": ",
                    node.op, " needs an argument ", parameter.name());
        ArgumentPlan plan;
        plan.constant = *parameter.default_value();
        step.arguments.push_back(std::move(plan));
      }
    }
    TORCH_CHECK(used == node.arguments.size(), "cannot run graph ", graph_.name, ": ", node.op,
                " has an argument that ", schema.operator_name(), " does not take");
    TORCH_CHECK(node.results.empty() || node.results.size() == schema.returns().size(),
                "cannot run graph ", graph_.name, ": ", node.op, " gives ", schema.returns().size(),
                " results, not ", node.results.size());
  }

  ArgumentPlan planChecked(const Node& node, const Argument& argument,
                           const c10::Argument& parameter) {
    try {
      return planArgument(argument, parameter);
    } catch (const c10::Error& error) {
      TORCH_CHECK(false, "cannot run graph ", graph_.name, ": ", node.op, ": argument ",
                  argument.name, ": ", error.what_without_backtrace());
    }
  }

  static const Argument* find(const Node& node, const std::string& name) {
    for (const Argument& argument : node.arguments) {
      if (argument.name == name) return &argument;
    }
    return nullptr;
  }

  /// Lets go of tensors as early as eager code does that keeps no variables.
  void planReleases(int64_t index, Step& step) {
    std::vector<bool> isMoved(graph_.values.size());
    for (auto plan = step.arguments.rbegin(); plan != step.arguments.rend(); ++plan) {
      for (ValueId id : plan->values) release(id, index, isMoved, step);
      if (plan->kind != ArgumentPlan::Kind::kValue || !diesAt(plan->value, index)) continue;
      // Only the last of several mentions may take it.
      if (isMoved[static_cast<size_t>(plan->value)]) continue;
      isMoved[static_cast<size_t>(plan->value)] = true;
      plan->kind = ArgumentPlan::Kind::kLastUse;
    }
  }

  void release(ValueId id, int64_t index, std::vector<bool>& isMoved, Step& step) {
    if (id == ValueId::kNone || !diesAt(id, index) || isMoved[static_cast<size_t>(id)]) return;
    isMoved[static_cast<size_t>(id)] = true;
    step.released.push_back(id);
  }

  bool diesAt(ValueId id, int64_t index) const {
    return lastUses_[static_cast<size_t>(id)] == index;
  }

  /// The result's ids without those that nobody reads or that an in-place operator gives back.
  NodeResult neededOf(const NodeResult& result, const Node& node, int64_t index) const {
    const auto needed = [&](ValueId id) {
      if (id == ValueId::kNone || lastUses_[static_cast<size_t>(id)] <= index) {
        return ValueId::kNone;
      }
      bool isArgument = false;
      for (const Argument& argument : node.arguments) {
        forEachValue(argument.value, [&](ValueId other) { isArgument |= other == id; });
      }
      return isArgument ? ValueId::kNone : id;
    };
    if (const auto* id = std::get_if<ValueId>(&result)) return needed(*id);
    std::vector<ValueId> ids = std::get<std::vector<ValueId>>(result);
    for (ValueId& id : ids) id = needed(id);
    return ids;
  }

  const Graph& graph_;
  const std::vector<int64_t> lastUses_;
};

/// A graph that can be run any number of times, from several threads at once.
class Interpreter {
 public:
  explicit Interpreter(const Graph& graph)
      : steps_(Planner(graph).plan()),
        valueCount_(graph.values.size()),
        symbolCount_(graph.symbols.size()),
        outputs_(graph.outputs) {
    for (const GraphInput& input : graph.inputs) inputs_.push_back(input.value);
    for (const Step& step : steps_) {
      changesModes_ = changesModes_ || !step.op;
      stackSize_ = std::max(stackSize_, step.arguments.size());
    }
  }

  std::vector<at::Tensor> run(std::span<const at::Tensor> inputs,
                              std::span<const int64_t> symbols) const {
    TORCH_CHECK(inputs.size() == inputs_.size(), "the graph takes ", inputs_.size(),
                " tensors, not ", inputs.size());
    TORCH_CHECK(symbols.size() >= symbolCount_, "the graph takes ", symbolCount_, " sizes, not ",
                symbols.size());
    c10::SmallVector<at::Tensor, 16> tensors(valueCount_);
    for (size_t i = 0; i < inputs.size(); ++i) tensors[static_cast<size_t>(inputs_[i])] = inputs[i];
    std::optional<ModeChanges> modes;
    if (changesModes_) modes.emplace();
    std::vector<c10::IValue> stack;
    stack.reserve(stackSize_);
    for (const Step& step : steps_) {
      if (step.op) {
        runStep(step, tensors, symbols, stack);
      } else {
        modes->apply(step.modeChange);
      }
    }
    std::vector<at::Tensor> outputs;
    outputs.reserve(outputs_.size());
    for (ValueId id : outputs_) outputs.push_back(tensors[static_cast<size_t>(id)]);
    return outputs;
  }

 private:
  static void runStep(const Step& step, std::span<at::Tensor> tensors,
                      std::span<const int64_t> symbols, std::vector<c10::IValue>& stack) {
    for (const ArgumentPlan& argument : step.arguments) argument.push(tensors, symbols, stack);
    for (ValueId id : step.released) tensors[static_cast<size_t>(id)].reset();
    step.op->callBoxed(stack);
    for (size_t i = 0; i < step.results.size(); ++i) {
      if (const auto* id = std::get_if<ValueId>(&step.results[i])) {
        if (*id == ValueId::kNone) continue;
        tensors[static_cast<size_t>(*id)] = std::move(stack[i]).toTensor();
      } else {
        keepList(std::get<std::vector<ValueId>>(step.results[i]), stack[i], tensors);
      }
    }
    stack.clear();
  }

  static void keepList(const std::vector<ValueId>& ids, const c10::IValue& list,
                       std::span<at::Tensor> tensors) {
    const auto elements = list.toListRef();
    TORCH_CHECK(elements.size() == ids.size(), "an operator gave ", elements.size(),
                " tensors where the graph has ", ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != ValueId::kNone) tensors[static_cast<size_t>(ids[i])] = elements[i].toTensor();
    }
  }

  const std::vector<Step> steps_;
  const size_t valueCount_, symbolCount_;
  const std::vector<ValueId> outputs_;
  std::vector<ValueId> inputs_;
  bool changesModes_ = false;
  size_t stackSize_ = 0;
};

}  // namespace

CompiledGraph interpret(const Graph& graph) {
  const auto well = verify(graph);
  TORCH_CHECK(static_cast<bool>(well), "cannot run: ", well.error().text);
  // Shared, since a CompiledGraph is copied.
  const auto interpreter = std::make_shared<const Interpreter>(graph);
  return [interpreter](std::span<const at::Tensor> inputs, std::span<const int64_t> symbols) {
    return interpreter->run(inputs, symbols);
  };
}

}  // namespace jitscope::compiler
