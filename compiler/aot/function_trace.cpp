#include "compiler/aot/function_trace.h"

#include <ATen/FunctionalStorageImpl.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/full_like.h>
#include <c10/core/AutogradState.h>
#include <c10/util/env.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <optional>

#include "compiler/aot/below_autograd.h"
#include "compiler/aot/functional_recorder.h"
#include "compiler/aot/refusal.h"
#include "compiler/backend.h"
#include "compiler/frontend/random_state.h"
#include "compiler/frontend/storage_clone.h"
#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {
namespace {

namespace autograd = torch::autograd;
namespace functional = at::functionalization;

/// More backward passes than one for all outputs and one for each would be traced for nothing.
constexpr size_t kMostTangents = 16;

/// Where the gradient of a primal with a history of its own arrives.
struct PrimalNode : autograd::Node {
  autograd::variable_list apply(autograd::variable_list&&) override { return {}; }
};

/// LibTorch reads this once. Without it functionalization runs everything on meta tensors as well.
void switchMetaReferenceOff() {
  static const bool isOff = [] {
    c10::utils::set_env("TORCH_DISABLE_FUNCTIONALIZATION_META_REFERENCE", "1", /*overwrite=*/false);
    return true;
  }();
  (void)isOff;
}

bool isAllOfLibTorch(const Graph& graph) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    return node.op.starts_with("aten::") || node.op.starts_with("prims::") ||
           node.op.starts_with("jitscope::");
  });
}

at::Tensor plainOf(const at::Tensor& wrapper) {
  return functional::impl::from_functional_tensor(wrapper);
}

bool isMadeInGradMode(const at::Tensor& tensor) {
  const auto* view = autograd::impl::get_view_autograd_meta(tensor);
  if (view == nullptr || !view->has_bw_view()) return true;
  const auto made = view->get_creation_meta();
  return made != autograd::CreationMeta::NO_GRAD_MODE &&
         made != autograd::CreationMeta::INFERENCE_MODE;
}

/// Puts random numbers, autocast's cache and threads back as they were.
struct QuietTrace {
  RandomState random = RandomState::current();
  c10::AutogradState modes = c10::AutogradState::get_tls_state();

  QuietTrace() { c10::AutogradState::get_tls_state().set_multithreading_enabled(false); }
  ~QuietTrace() {
    c10::AutogradState::set_tls_state(modes);
    at::autocast::clear_cache();
    random.restore();
  }
  QuietTrace(const QuietTrace&) = delete;
  QuietTrace& operator=(const QuietTrace&) = delete;
};

class FunctionTracer {
 public:
  FunctionTracer(const Graph& captured, std::span<const at::Tensor> arguments,
                 std::span<const int64_t> symbols)
      : captured_(captured), arguments_(arguments), symbols_(symbols), recorder_(captured) {}

  /// None when memory is written to that inputs share, but `layout` has no base for it.
  std::optional<FunctionTrace> run(ArgumentLayout layout) {
    made_.layout = std::move(layout);
    wrapPrimals();
    {
      const functional::impl::FunctionalizationReapplyViewsGuard reapplyViews(true);
      const TraceScope trace(recorder_);
      callFunction();
      if (!readEffects()) return std::nullopt;
      for (const at::Tensor& output : outputs_) readOutput(output);
      traceBackward();
    }
    finish();
    return std::move(made_);
  }

 private:
  struct Slot {
    ValueId value;
    at::Tensor traced;  ///< the functional tensor that it is the content of
    bool isWrittenPrimal;
    bool isDifferentiable = false;
  };

  void wrapPrimals() {
    const bool isTrusted = isAllOfLibTorch(captured_);
    for (const at::Tensor& primal : primalsOf(made_.layout, arguments_)) {
      if (isOpaque(primal)) throw Refusal("an input is sparse, quantised or another wrapper");
      at::Tensor plain;
      {
        // Not detached: that would share the version counter, which writes while tracing move.
        const BelowAutograd below;
        plain = isTrusted ? primal.alias()
                          : onStorage(cloneStorage(primal.storage()), TensorFacts::of(primal));
      }
      recorder_.addInput(plain);
      wrapPrimal(primal, functional::impl::to_functional_tensor(plain));
    }
  }

  void wrapPrimal(const at::Tensor& primal, const at::Tensor& wrapper) {
    autograd::Edge edge;
    if (primal.requires_grad() && primal.is_leaf()) {
      wrapper.set_requires_grad(true);
      edge = autograd::impl::gradient_edge(wrapper);
    } else if (primal.requires_grad()) {
      const auto node = std::make_shared<PrimalNode>();
      node->add_input_metadata(wrapper);
      edge = {node, 0};
      autograd::impl::set_gradient_edge(wrapper, edge);
    }
    // Kept weakly, so that no address is used again; held, functionalization could not resize it.
    storages_.push_back(wrapper.unsafeGetTensorImpl()->unsafe_storage().getWeakStorageImpl());
    edges_.push_back(std::move(edge));
    primals_.push_back({wrapper, storageOf(wrapper), primal.requires_grad(), primal.is_leaf()});
  }

  void callFunction() {
    std::vector<int64_t> versions;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const auto& argument = made_.layout.arguments[i];
      const at::Tensor& primal = primals_[argument.primal].wrapper;
      const auto same =
          std::find_if(arguments_.begin(), arguments_.begin() + static_cast<std::ptrdiff_t>(i),
                       [&](const at::Tensor& other) { return other.is_same(arguments_[i]); });
      const auto first = static_cast<size_t>(same - arguments_.begin());
      if (first < i) {
        traced_.push_back(traced_[first]);
      } else if (argument.isViewOfBase) {
        traced_.push_back(
            primal.as_strided(argument.sizes, argument.strides, argument.storageOffset));
      } else {
        traced_.push_back(primal);
      }
      versions.push_back(versionOf(traced_.back()));
    }
    recorder_.beginFunction();
    outputs_ = interpret(captured_)(traced_, symbols_);
    recorder_.endFunction();
    for (const TracedPrimal& primal : primals_) functional::impl::sync(primal.wrapper);
    for (const at::Tensor& argument : traced_) functional::impl::sync(argument);
    for (const at::Tensor& output : outputs_) {
      if (!output.defined()) continue;
      if (!functional::impl::isFunctionalTensor(output)) {
        throw Refusal("a result comes from outside of the graph");
      }
      functional::impl::sync(output);
    }
    moved_.resize(primals_.size());
    for (size_t i = 0; i < traced_.size(); ++i) {
      int64_t& moved = moved_[made_.layout.arguments[i].primal];
      moved = std::max(moved, versionOf(traced_[i]) - versions[i]);
      checkArgument(i);
    }
  }

  static int64_t versionOf(const at::Tensor& tensor) {
    return tensor.is_inference() ? 0 : tensor._version();
  }

  /// What happened to a view of a base that the base does not show.
  void checkArgument(size_t i) const {
    const auto& argument = made_.layout.arguments[i];
    if (!argument.isViewOfBase) return;
    auto* impl = functional::impl::unsafeGetFunctionalWrapper(traced_[i]);
    if (impl->has_metadata_mutation()) {
      throw Refusal("the layout of a tensor that shares memory with another input was changed");
    }
  }

  bool readEffects() {
    for (size_t i = 0; i < primals_.size(); ++i) {
      InputEffect effect = effectOn(primals_[i], moved_[i]);
      // These do not move the version of a functional tensor.
      if (effect.isWritten && effect.versions == 0 && hasForeach()) effect.versions = 1;
      const bool isAlone = made_.layout.primals[i].isBase || !made_.layout.hasAliases;
      if (effect.isAny() && !isAlone) return false;
      if (effect.isWritten) {
        const at::Tensor content = writtenContent(primals_[i], effect);
        effect.slot = slotFor(content, primals_[i].wrapper, true);
      }
      made_.effects.push_back(std::move(effect));
    }
    return true;
  }

  bool hasForeach() const {
    return std::any_of(captured_.nodes.begin(), captured_.nodes.end(), [](const Node& node) {
      return node.op.starts_with("aten::_foreach_") || node.op.starts_with("aten::_fused_");
    });
  }

  size_t slotFor(const at::Tensor& plain, const at::Tensor& traced, bool isWrittenPrimal) {
    const ValueId value = recorder_.recordedId(plain);
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].value == value && slots_[i].traced.is_same(traced)) return i;
    }
    slots_.push_back({value, traced, isWrittenPrimal});
    return slots_.size() - 1;
  }

  void readOutput(const at::Tensor& output) {
    using Kind = OutputRecipe::Kind;
    OutputRecipe recipe;
    if (output.defined()) {
      recipe.requiresGrad = output.requires_grad();
      recipe.isMadeInGradMode = isMadeInGradMode(output);
      const auto find = [&](const std::vector<at::Tensor>& tensors, Kind kind) {
        for (size_t i = 0; i < tensors.size() && recipe.kind == Kind::kAbsent; ++i) {
          if (tensors[i].is_same(output)) recipe.kind = kind, recipe.index = i;
        }
      };
      find(traced_, Kind::kArgument);
      find(readOutputs_, Kind::kOutput);
      if (recipe.kind == Kind::kAbsent) describeNew(output, recipe);
    }
    readOutputs_.push_back(output);
    made_.outputs.push_back(std::move(recipe));
  }

  void describeNew(const at::Tensor& output, OutputRecipe& recipe) {
    using Kind = OutputRecipe::Kind;
    auto* impl = functional::impl::unsafeGetFunctionalWrapper(output);
    const void* memory = storageOf(output);
    for (size_t i = 0; i < primals_.size(); ++i) {
      if (memory != primals_[i].storage) continue;
      recipe.kind = Kind::kViewOfPrimal;
      recipe.index = i;
      recipe.views = impl->view_metas();
      return;
    }
    const bool isNewLeaf = output.requires_grad() && output.is_leaf() && !output.is_view();
    if (isNewLeaf) throw Refusal("a result is a new leaf that requires gradient");
    const auto sharing = std::count_if(outputs_.begin(), outputs_.end(), [&](const auto& other) {
      return other.defined() && storageOf(other) == memory;
    });
    if (sharing < 2) {
      recipe.kind = Kind::kSlot;
      recipe.index = slotFor(plainOf(output), output, false);
      return;
    }
    recipe.kind = Kind::kViewOfSlot;
    recipe.views = impl->view_metas();
    recipe.index = slotOfBase(output, recipe);
  }

  /// The slot of the tensor that several outputs are views of.
  size_t slotOfBase(const at::Tensor& output, const OutputRecipe& recipe) {
    if (recipe.views.empty()) return slotFor(plainOf(output), output, false);
    const at::Tensor base = output.is_view() ? at::Tensor(output._base()) : output;
    functional::impl::sync(base);
    if (functional::impl::unsafeGetFunctionalWrapper(base)->view_metas().empty()) {
      return slotFor(plainOf(base), base, false);
    }
    if (base.requires_grad()) throw Refusal("results are views of a view that autograd calls base");
    auto* storage = output.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
    return slotFor(static_cast<functional::FunctionalStorageImpl*>(storage)->base(), base, false);
  }

  /// A primal that is written without autograd's knowledge, or must not be part of its graph, gives
  /// no gradient for what was written.
  bool needsTangent(const Slot& slot) const {
    if (!slot.traced.requires_grad()) return false;
    if (!slot.isWrittenPrimal) return true;
    for (size_t i = 0; i < primals_.size(); ++i) {
      if (!primals_[i].wrapper.is_same(slot.traced)) continue;
      const bool isLeaf = primals_[i].requiresGrad && primals_[i].isLeaf;
      if (made_.effects[i].isUnseenByAutograd || isLeaf) return false;
    }
    return true;
  }

  void traceBackward() {
    for (Slot& slot : slots_) {
      slot.isDifferentiable = needsTangent(slot);
      if (slot.isDifferentiable) roots_.push_back(autograd::impl::gradient_edge(slot.traced));
    }
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (!edges_[i].is_valid()) continue;
      wanted_.push_back(edges_[i]);
      wantedPrimals_.push_back(i);
    }
    if (roots_.empty()) return;
    if (roots_.size() > kMostTangents) throw Refusal("too many results require gradient");
    if (wanted_.empty()) throw Refusal("a result requires gradient, but no input does");
    makeTangents();
    recorder_.beginBackward();
    const bool isOne = roots_.size() == 1;
    tracePart(std::vector<bool>(roots_.size(), true), !isOne);
    for (size_t i = 0; i < roots_.size() && !isOne; ++i) {
      std::vector<bool> only(roots_.size());
      only[i] = true;
      tracePart(std::move(only), true);
    }
  }

  void makeTangents() {
    const c10::impl::ExcludeDispatchKeyGuard plain(
        c10::DispatchKeySet({captureKey(), c10::DispatchKey::Functionalize}));
    const at::NoGradGuard noGrad;
    for (const Slot& slot : slots_) {
      if (!slot.isDifferentiable) continue;
      tangents_.push_back(at::full_like(plainOf(slot.traced), 0.5));
      tangentIds_.push_back(recorder_.addInput(tangents_.back()));
    }
  }

  void tracePart(std::vector<bool> hasTangent, bool keepsGraph) {
    autograd::edge_list roots;
    autograd::variable_list tangents;
    for (size_t i = 0; i < roots_.size(); ++i) {
      if (!hasTangent[i]) continue;
      roots.push_back(roots_[i]);
      tangents.push_back(functional::impl::to_functional_tensor(tangents_[i]));
    }
    // A backward pass is usually outside of the scope of autocast.
    const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);
    const auto gradients = autograd::Engine::get_default_engine().execute(
        roots, tangents, keepsGraph, /*create_graph=*/false, /*accumulate_grad=*/false, wanted_);
    BackwardPart part{std::move(hasTangent), std::vector<ValueId>(primals_.size(), ValueId::kNone)};
    for (size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i].defined()) continue;
      if (!functional::impl::isFunctionalTensor(gradients[i])) {
        throw Refusal("a gradient comes from outside of the graph");
      }
      functional::impl::sync(gradients[i]);
      part.gradients[wantedPrimals_[i]] = recorder_.recordedId(plainOf(gradients[i]));
    }
    parts_.push_back(std::move(part));
  }

  void finish() {
    std::vector<ValueId> constants;
    made_.constants = recorder_.constants();
    made_.joint = recorder_.take(constants);
    JointGraph& joint = made_.joint;
    joint.graph.name = captured_.name;
    joint.primalCount = primals_.size();
    joint.tangentCount = tangentIds_.size();
    joint.parts = std::move(parts_);
    // AOTAutograd's names.
    for (size_t i = 0; i < primals_.size(); ++i) {
      std::string name = joint.parts.empty() ? "arg" + std::to_string(i) + "_1"
                                             : "primals_" + std::to_string(i + 1);
      joint.graph.inputs.push_back({static_cast<ValueId>(i), std::move(name)});
    }
    for (size_t i = 0; i < constants.size(); ++i) {
      joint.graph.inputs.push_back({constants[i], "_tensor_constant" + std::to_string(i)});
    }
    for (size_t i = 0; i < tangentIds_.size(); ++i) {
      joint.graph.inputs.push_back({tangentIds_[i], "tangents_" + std::to_string(i + 1)});
    }
    for (const Slot& slot : slots_) {
      joint.forwardOutputs.push_back(slot.value);
      made_.isDifferentiable.push_back(slot.isDifferentiable);
    }
    for (size_t i = 0; i < joint.graph.values.size(); ++i) {
      made_.values.push_back(recorder_.tensorOf(static_cast<ValueId>(i)));
    }
  }

  const Graph& captured_;
  const std::span<const at::Tensor> arguments_;
  const std::span<const int64_t> symbols_;
  FunctionalRecorder recorder_;
  FunctionTrace made_;

  std::vector<TracedPrimal> primals_;
  std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages_;
  autograd::edge_list edges_;       ///< of each primal, invalid without gradient
  std::vector<at::Tensor> traced_;  ///< the arguments
  std::vector<at::Tensor> outputs_, readOutputs_;
  std::vector<int64_t> moved_;  ///< how far the version of each primal went
  std::vector<Slot> slots_;

  autograd::edge_list roots_, wanted_;  ///< of the backward pass: its start and its ends
  std::vector<size_t> wantedPrimals_;
  std::vector<at::Tensor> tangents_;
  std::vector<ValueId> tangentIds_;
  std::vector<BackwardPart> parts_;
};

}  // namespace

FunctionTrace traceFunction(const Graph& captured, std::span<const at::Tensor> arguments,
                            std::span<const int64_t> symbols, const CallShape& shape) {
  for (const Node& node : captured.nodes) {
    // Results of a part in inference mode are of another kind than a graph's.
    if (node.op == "jitscope::set_inference_mode")
      throw Refusal("inference mode changes within it");
  }
  switchMetaReferenceOff();
  const QuietTrace quiet;
  auto layout = layOut(arguments, shape, /*mergesAliases=*/false);
  auto made = FunctionTracer(captured, arguments, symbols).run(std::move(layout));
  if (made) return std::move(*made);
  layout = layOut(arguments, shape, /*mergesAliases=*/true);
  layout.hasAliases = false;
  made = FunctionTracer(captured, arguments, symbols).run(std::move(layout));
  return std::move(*made);
}

}  // namespace jitscope::compiler
