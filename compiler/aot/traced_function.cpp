#include "compiler/aot/traced_function.h"

#include <ATen/ops/alias.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

#include "compiler/aot/below_autograd.h"
#include "compiler/aot/upstream_hooks.h"
#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {
namespace {

namespace autograd = torch::autograd;

/// Makes writes to `other` move the version of `tensor`, which shares its memory.
void shareVersion(const at::Tensor& tensor, const at::Tensor& other) {
  if (other.is_inference() || tensor.is_inference()) return;
  tensor.unsafeGetTensorImpl()->set_version_counter(other.unsafeGetTensorImpl()->version_counter());
}

bool namesPlaces(const FunctionTrace& trace) {
  const auto& primals = trace.layout.primals;
  const auto& nodes = trace.joint.graph.nodes;
  return std::any_of(primals.begin(), primals.end(), [](const auto& p) { return p.isBase; }) ||
         std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& node) { return node.op.starts_with("aten::as_strided"); }) ||
         std::any_of(trace.effects.begin(), trace.effects.end(),
                     [](const InputEffect& effect) { return effect.hasNewLayout; });
}

}  // namespace

TracedFunction::TracedFunction(FunctionTrace trace, const StepCompiler& compiler) {
  const JointGraph& joint = trace.joint;
  Partition parts = partition(joint);
  isRandom_ = std::any_of(joint.facts.begin(), joint.facts.end(),
                          [](const NodeFacts& facts) { return facts.isRandom; });
  hasFixedPlaces_ = namesPlaces(trace);
  layout_ = std::move(trace.layout);
  constants_ = trace.constants;
  effects_ = std::move(trace.effects);
  outputs_ = std::move(trace.outputs);
  inputs_ = parts.forward.inputs;
  planSlots(trace, parts);
  planSaved(trace, parts);
  findUnreached(joint);
  std::vector<at::Tensor> examples;
  for (const size_t position : inputs_) {
    examples.push_back(trace.values[static_cast<size_t>(joint.graph.inputs[position].value)]);
  }
  const Step step = joint.parts.empty() ? Step::kInference : Step::kForward;
  forward_ = compiler.compile(step, parts.forward.graph, examples);
  if (!joint.parts.empty()) compileBackward(trace, parts, compiler);
}

void TracedFunction::planSlots(const FunctionTrace& trace, const Partition& parts) {
  for (size_t i = 0; i < trace.joint.forwardOutputs.size(); ++i) {
    SlotPlan slot{parts.forward.wanted[i], false, trace.isDifferentiable[i]};
    slot.isRepeated = slot.source.isInput ||
                      std::any_of(slots_.begin(), slots_.end(),
                                  [&](const auto& other) { return other.source == slot.source; });
    slots_.push_back(slot);
  }
}

void TracedFunction::planSaved(const FunctionTrace& trace, const Partition& parts) {
  const JointGraph& joint = trace.joint;
  const auto tensorOf = [&](ValueId id) { return trace.values[static_cast<size_t>(id)]; };
  const auto slotOf = [&](ValueId id) -> std::optional<size_t> {
    std::optional<size_t> found;
    for (size_t i = 0; i < slots_.size(); ++i) {
      const bool isBetter =
          !found || (slots_[i].isDifferentiable && !slots_[*found].isDifferentiable);
      if (joint.forwardOutputs[i] == id && isBetter) found = i;
    }
    return found;
  };
  for (size_t i = 0; i < parts.saved.size(); ++i) {
    const ValueId id = parts.saved[i];
    SavedPlan plan;
    const ValueSource& source = parts.forward.wanted[slots_.size() + i];
    if (source.isInput) {
      plan = {SavedPlan::Kind::kPrimal, source.position, {}, {}};
    } else if (const auto slot = slotOf(id)) {
      plan = {SavedPlan::Kind::kSlot, *slot, {}, {}};
    } else {
      plan = {SavedPlan::Kind::kOwn, source.position, {}, {}};
      const void* memory = storageOf(tensorOf(id));
      for (size_t j = 0; j < joint.primalCount; ++j) {
        const bool isShared = storageOf(tensorOf(joint.graph.inputs[j].value)) == memory;
        if (isShared) plan.memoryOfPrimal = j;
      }
      for (size_t j = 0; j < slots_.size(); ++j) {
        if (storageOf(tensorOf(joint.forwardOutputs[j])) == memory) plan.memoryOfSlot = j;
      }
    }
    saved_.push_back(plan);
  }
}

void TracedFunction::findUnreached(const JointGraph& joint) {
  for (size_t i = 0; i < joint.primalCount && joint.parts.size() > 1; ++i) {
    const auto reaches = [i](const BackwardPart& part) {
      return part.gradients[i] != ValueId::kNone;
    };
    const auto& parts = joint.parts;
    const bool isReached = std::any_of(parts.begin(), parts.end(), reaches);
    if (isReached && !std::all_of(parts.begin(), parts.end(), reaches)) unreached_.push_back(i);
  }
}

bool TracedFunction::mayCallHooksInVain(std::span<const at::Tensor> arguments) const {
  if (unreached_.empty()) return false;
  const std::vector<at::Tensor> primals = primalsOf(layout_, arguments);
  autograd::edge_list edges;
  for (const size_t i : unreached_) {
    if (primals[i].requires_grad()) edges.push_back(autograd::impl::gradient_edge(primals[i]));
  }
  return haveHooks(edges);
}

void TracedFunction::compileBackward(FunctionTrace& trace, Partition& parts,
                                     const StepCompiler& compiler) {
  JointGraph& joint = trace.joint;
  const auto tensorOf = [&](ValueId id) { return trace.values[static_cast<size_t>(id)]; };
  std::vector<at::Tensor> saved, tangents;
  for (const ValueId id : parts.saved) saved.push_back(tensorOf(id));
  for (size_t i = joint.primalCount + joint.constantCount; i < joint.graph.inputs.size(); ++i) {
    tangents.push_back(tensorOf(joint.graph.inputs[i].value));
  }
  backward_ = std::make_shared<CompiledBackward>(std::move(joint.parts), std::move(parts.backward),
                                                 constants_, tangents, compiler);
  backward_->compileWhole(saved, tangents);
}

TracedFunction::Computed TracedFunction::compute(std::span<const at::Tensor> arguments,
                                                 std::span<const int64_t> symbols) const {
  Computed computed{primalsOf(layout_, arguments), {}};
  const BelowAutograd below;
  std::vector<at::Tensor> taken;
  taken.reserve(inputs_.size());
  for (const size_t position : inputs_) {
    const bool isPrimal = position < computed.primals.size();
    taken.push_back(isPrimal ? computed.primals[position]
                             : constants_[position - computed.primals.size()]);
  }
  const std::vector<at::Tensor> given = forward_(taken, symbols);
  computed.slots.reserve(slots_.size());
  for (const SlotPlan& slot : slots_) {
    const auto& source = slot.source;
    const bool isPrimal = source.isInput && source.position < computed.primals.size();
    const at::Tensor& tensor = isPrimal ? computed.primals[source.position]
                               : source.isInput
                                   ? constants_[source.position - computed.primals.size()]
                                   : given[source.position];
    computed.slots.push_back(slot.isRepeated ? tensor.alias() : tensor);
  }
  if (backward_) attach(computed, given, symbols);
  return computed;
}

void TracedFunction::attach(Computed& computed, std::span<const at::Tensor> given,
                            std::span<const int64_t> symbols) const {
  const auto node = std::shared_ptr<TracedBackward>(new TracedBackward(backward_, symbols),
                                                    torch::autograd::deleteNode);
  autograd::edge_list edges;
  edges.reserve(computed.primals.size());
  for (const at::Tensor& primal : computed.primals) {
    edges.push_back(primal.requires_grad() ? autograd::impl::gradient_edge(primal)
                                           : autograd::Edge());
  }
  node->set_next_edges(std::move(edges));
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].isDifferentiable) {
      addHistory(computed.slots[i], node, backward_->tangentCount() > 1);
    }
  }
  for (const SavedPlan& plan : saved_) {
    switch (plan.kind) {
      case SavedPlan::Kind::kPrimal:
        node->save(computed.primals[plan.index], false);
        break;
      case SavedPlan::Kind::kSlot:
        node->save(computed.slots[plan.index], slots_[plan.index].isDifferentiable);
        break;
      case SavedPlan::Kind::kOwn:
        if (plan.memoryOfPrimal) {
          shareVersion(given[plan.index], computed.primals[*plan.memoryOfPrimal]);
        } else if (plan.memoryOfSlot) {
          shareVersion(given[plan.index], computed.slots[*plan.memoryOfSlot]);
        }
        node->save(given[plan.index], false);
        break;
    }
  }
}

std::vector<at::Tensor> TracedFunction::finish(const Computed& computed,
                                               std::span<const at::Tensor> arguments) const {
  const auto beforeLayout = applyEffects(effects_, computed.primals, computed.slots);
  return makeOutputs(outputs_, {arguments, computed.primals, beforeLayout, computed.slots});
}

}  // namespace jitscope::compiler
