#include "compiler/aot/functional_recorder.h"

#include <ATen/SequenceNumber.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/_batch_norm_with_update.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler/aot/refusal.h"
#include "compiler/aot/tensor_version.h"
#include "compiler/frontend/constant_attribute.h"
#include "compiler/frontend/random_state.h"
#include "compiler/frontend/recorded_operator.h"
#include "compiler/frontend/storage_clone.h"
#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {
namespace {

c10::DispatchKeySet below(c10::DispatchKeySet keys) {
  return keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, captureKey());
}

bool isOptionalTensorList(const c10::IValue& value) {
  return value.isList() &&
         value.toList().elementType()->isSubtypeOf(*c10::OptionalType::ofTensor());
}

/// Calls `visit(const at::Tensor&)` for every tensor of a value, absent ones too.
template <class Visit>
void forEachTensor(const c10::IValue& value, Visit visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isTensorList() || isOptionalTensorList(value)) {
    for (const c10::IValue& element : value.toListRef()) {
      visit(element.isNone() ? at::Tensor() : element.toTensor());
    }
  }
}

/// Whether the arguments on the stack, those of a batch norm, make it write to its statistics.
bool updatesStatistics(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) {
  const auto argument = [&](const char* name) -> const c10::IValue& {
    const auto position = schema.argumentIndexWithName(name);
    TORCH_CHECK(position.has_value(), schema.name(), " has no argument ", name);
    return stack[stack.size() - schema.arguments().size() + static_cast<size_t>(*position)];
  };
  const c10::IValue& mean = argument("running_mean");
  return argument("training").toBool() && mean.isTensor() && mean.toTensor().defined();
}

/// LibTorch declares no write for the statistics that these write to.
bool hidesWrites(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const std::string& name = op.operator_name().name;
  const bool isBatchNorm = name == "aten::native_batch_norm" || name == "aten::cudnn_batch_norm" ||
                           name == "aten::miopen_batch_norm";
  return isBatchNorm && updatesStatistics(op.schema(), stack);
}

/// Calls the batch norm that declares what it writes to. The other one does not move the versions.
void callDeclaredBatchNorm(torch::jit::Stack& stack) {
  const auto arguments = torch::jit::last(stack, 9).vec();
  torch::jit::drop(stack, 9);
  const auto tensor = [&](size_t i) { return arguments[i].toOptional<at::Tensor>(); };
  at::Tensor mean = arguments[3].toTensor(), variance = arguments[4].toTensor();
  const auto versions = std::pair(mean._version(), variance._version());
  const auto results =
      at::_batch_norm_with_update(arguments[0].toTensor(), tensor(1), tensor(2), mean, variance,
                                  arguments[6].toDouble(), arguments[7].toDouble());
  setVersion(mean, versions.first);
  setVersion(variance, versions.second);
  stack.emplace_back(std::get<0>(results));
}

/// For an operator that fills its first argument with random numbers: the dimensions of that from
/// the outermost in memory to the innermost, unless they are in this order.
std::optional<std::vector<int64_t>> orderOfDraws(const c10::OperatorHandle& op,
                                                 const torch::jit::Stack& stack) {
  const size_t count = op.schema().arguments().size();
  if (count == 0 || !op.hasTag(at::Tag::nondeterministic_seeded)) return {};
  const c10::IValue& first = stack[stack.size() - count];
  if (!first.isTensor() || !first.toTensor().defined()) return {};
  const auto strides = first.toTensor().strides();
  std::vector<int64_t> order(strides.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)];
  });
  if (std::is_sorted(order.begin(), order.end())) return {};
  return order;
}

/// In place, numbers are drawn as the memory lies; the functional operator may draw them in rows.
/// Calls it with the dimensions in the given order, so that these are the same.
void drawInOrder(const c10::OperatorHandle& op, torch::jit::Stack& stack,
                 const std::vector<int64_t>& order) {
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  c10::IValue& first = stack[stack.size() - op.schema().arguments().size()];
  first = first.toTensor().permute(order);
  op.callBoxed(stack);
  stack.back() = stack.back().toTensor().permute(back);
}

bool isView(const c10::FunctionSchema& schema) {
  const auto& returns = schema.returns();
  return std::any_of(returns.begin(), returns.end(), [](const c10::Argument& result) {
    return result.alias_info() != nullptr && !result.alias_info()->isWrite();
  });
}

struct DepthScope {
  explicit DepthScope(int& depth) : depth_(++depth) {}
  ~DepthScope() { --depth_; }
  DepthScope(const DepthScope&) = delete;
  DepthScope& operator=(const DepthScope&) = delete;
  int& depth_;
};

}  // namespace

/// What the arguments of an operator that others wrote held before it ran.
struct FunctionalRecorder::Written {
  explicit Written(const c10::OperatorHandle& op, std::span<const c10::IValue> arguments) {
    const std::string& name = op.operator_name().name;
    if (name.starts_with("aten::") || name.starts_with("prims::")) return;
    for (const c10::IValue& argument : arguments) {
      forEachTensor(argument, [&](const at::Tensor& tensor) {
        if (!tensor.defined() || isOpaque(tensor) || !tensor.device().is_cpu()) return;
        const auto& memory = tensor.unsafeGetTensorImpl()->unsafe_storage();
        contents.emplace_back(memory, cloneStorage(memory));
      });
    }
  }

  bool isAny() const {
    return std::any_of(contents.begin(), contents.end(), [](const auto& content) {
      return !isSameContent(content.first, content.second);
    });
  }

  std::vector<std::pair<c10::Storage, c10::Storage>> contents;
};

FunctionalRecorder::FunctionalRecorder(const Graph& captured) : captured_(captured) {
  for (size_t i = 0; i < captured.nodes.size(); ++i) {
    if (!captured.nodes[i].op.starts_with("jitscope::")) operators_.push_back(i);
  }
}

ValueId FunctionalRecorder::define(const at::Tensor& plain) {
  if (!plain.defined()) return ValueId::kNone;
  const auto next = static_cast<ValueId>(tensors_.size());
  const auto [known, isNew] = ids_.try_emplace(plain.unsafeGetTensorImpl(), next);
  if (!isNew) return known->second;
  if (isOpaque(plain)) throw Refusal("a tensor is sparse, quantised, nested or another wrapper");
  tensors_.push_back(plain);
  auto type = concreteType(TensorFacts::of(plain));
  type.requiresGrad = false;
  joint_.graph.values.push_back({"", std::move(type)});
  return next;
}

ValueId FunctionalRecorder::addInput(const at::Tensor& plain) { return define(plain); }

ValueId FunctionalRecorder::recordedId(const at::Tensor& plain) const {
  const auto known = ids_.find(plain.unsafeGetTensorImpl());
  if (known == ids_.end()) throw Refusal("a tensor is used that no recorded operator made");
  return known->second;
}

/// A number that LibTorch's own code wrapped. Larger tensors may hold what depends on the inputs.
ValueId FunctionalRecorder::constantId(const at::Tensor& plain, const c10::OperatorHandle& op) {
  if (plain.dim() != 0 || !plain.device().is_cpu() || plain.requires_grad()) {
    throw Refusal(operatorText(op) + " takes a tensor that no recorded operator made");
  }
  constants_.push_back(plain);
  constantIds_.push_back(define(plain));
  return constantIds_.back();
}

void FunctionalRecorder::beginBackward() {
  place_.stage = Stage::kBackward;
  joint_.forwardNodeCount = joint_.graph.nodes.size();
}

JointGraph FunctionalRecorder::take(std::vector<ValueId>& constantIds) {
  if (place_.stage != Stage::kBackward) joint_.forwardNodeCount = joint_.graph.nodes.size();
  joint_.constantCount = constantIds_.size();
  constantIds = std::move(constantIds_);
  return std::move(joint_);
}

void FunctionalRecorder::onDispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                                    torch::jit::Stack& stack) {
  const auto excluded = c10::impl::tls_local_dispatch_key_set().excluded_;
  if (excluded.has(c10::DispatchKey::Functionalize)) {
    const auto order = place_.isInPlace ? orderOfDraws(op, stack) : std::nullopt;
    order ? drawInOrder(op, stack, *order) : record(op, keys, stack);
  } else {
    pass(op, keys, stack);
  }
}

void FunctionalRecorder::pass(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                              torch::jit::Stack& stack) {
  if (place_.depth == 0 && place_.stage == Stage::kFunction) {
    const size_t node =
        place_.operators < operators_.size() ? operators_[place_.operators] : JointGraph::kNoOrigin;
    place_.sequence.emplace_back(at::sequence_number::peek(), node);
    ++place_.operators;
  }
  place_.isInPlace = op.operator_name().name.ends_with('_');
  const DepthScope depth(place_.depth);
  if (op.operator_name().name == "aten::batch_norm" && updatesStatistics(op.schema(), stack)) {
    return callDeclaredBatchNorm(stack);
  }
  op.redispatchBoxed(below(keys), &stack);
}

/// The captured graph's operator that the coming node belongs to. What autograd's nodes do belongs
/// to the operator that made them.
size_t FunctionalRecorder::originOfNode() const {
  if (place_.stage == Stage::kFunction) return place_.sequence.back().second;
  if (place_.stage != Stage::kBackward) return JointGraph::kNoOrigin;
  const auto node = torch::autograd::get_current_node();
  if (!node) return JointGraph::kNoOrigin;
  const auto after =
      std::upper_bound(place_.sequence.begin(), place_.sequence.end(), node->sequence_nr(),
                       [](uint64_t number, const auto& entry) { return number < entry.first; });
  return after == place_.sequence.begin() ? JointGraph::kNoOrigin : std::prev(after)->second;
}

/// Without TORCH_DISABLE_FUNCTIONALIZATION_META_REFERENCE functionalization also runs what it
/// functionalizes on meta tensors, which are nobody's.
bool FunctionalRecorder::isNoise(std::span<const c10::IValue> values) const {
  bool isAny = false;
  for (const c10::IValue& value : values) {
    forEachTensor(value, [&](const at::Tensor& tensor) {
      isAny |= tensor.defined() && tensor.is_meta() && !ids_.contains(tensor.unsafeGetTensorImpl());
    });
  }
  return isAny;
}

void FunctionalRecorder::record(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                                torch::jit::Stack& stack) {
  const auto& schema = op.schema();
  const c10::impl::ExcludeDispatchKeyGuard exclude(captureKey());
  const size_t first = stack.size() - schema.arguments().size();
  if (isNoise(std::span(stack).subspan(first))) return op.redispatchBoxed(below(keys), &stack);

  Node node;
  node.op = op.operator_name().name;
  node.overload = op.operator_name().overload_name;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    node.arguments.push_back(argumentOf(stack[first + i], schema.arguments()[i], op));
  }
  if (op.hasTag(at::Tag::data_dependent_output)) {
    throw Refusal(operatorText(op) + " gives a number that depends on a tensor's content");
  }
  if (hidesWrites(op, stack)) throw Refusal(node.op + " writes without saying so");

  const Written written(op, std::span(stack).subspan(first));
  const auto before = RandomMark::current();
  op.redispatchBoxed(below(keys), &stack);
  const bool isRandom = !(RandomMark::current() == before);
  if (written.isAny()) throw Refusal(operatorText(op) + " writes to an argument undeclared");
  if (isNoise(std::span(stack).subspan(first))) return;

  for (size_t i = 0; i < schema.returns().size(); ++i) {
    node.results.push_back(resultOf(stack[first + i]));
  }
  const size_t origin = originOfNode();
  if (origin < captured_.nodes.size()) node.source = captured_.nodes[origin].source;
  joint_.graph.nodes.push_back(std::move(node));
  joint_.facts.push_back({isRandom, isView(schema), origin});
}

ValueId FunctionalRecorder::readId(const at::Tensor& tensor, const c10::Argument& parameter,
                                   const c10::OperatorHandle& op) {
  if (!tensor.defined()) return ValueId::kNone;
  if (parameter.alias_info() != nullptr && parameter.alias_info()->isWrite()) {
    throw Refusal(operatorText(op) + " writes to its argument below functionalization");
  }
  const auto known = ids_.find(tensor.unsafeGetTensorImpl());
  return known == ids_.end() ? constantId(tensor, op) : known->second;
}

Argument FunctionalRecorder::argumentOf(const c10::IValue& value, const c10::Argument& parameter,
                                        const c10::OperatorHandle& op) {
  if (value.isTensor()) return {parameter.name(), readId(value.toTensor(), parameter, op)};
  if (value.isTensorList() || isOptionalTensorList(value)) {
    std::vector<ValueId> ids;
    forEachTensor(value, [&](const at::Tensor& t) { ids.push_back(readId(t, parameter, op)); });
    return {parameter.name(), std::move(ids)};
  }
  if (!isPlainConstant(value)) {
    throw Refusal(operatorText(op) + " takes a generator or another object of this process");
  }
  return {parameter.name(), attributeOf(value, parameter)};
}

NodeResult FunctionalRecorder::resultOf(const c10::IValue& value) {
  if (value.isTensor()) return define(value.toTensor());
  if (value.isTensorList()) {
    std::vector<ValueId> ids;
    forEachTensor(value, [&](const at::Tensor& tensor) { ids.push_back(define(tensor)); });
    return ids;
  }
  // A number that depends on sizes alone is the same in every call.
  return ValueId::kNone;
}

}  // namespace jitscope::compiler
