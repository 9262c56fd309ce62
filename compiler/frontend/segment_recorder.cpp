#include "compiler/frontend/segment_recorder.h"

#include <ATen/core/List.h>
#include <ATen/ops/clone.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/frontend/break_reason.h"
#include "compiler/frontend/random_state.h"
#include "compiler/frontend/storage_clone.h"
#include "compiler/journal/journal.h"
#include "trace/clock.h"

namespace jitscope::compiler {
namespace {

using ArgumentKind = RecordedArgument::Kind;

ArgumentKind kindOf(const c10::IValue& value) {
  if (value.isTensor()) return ArgumentKind::kTensor;
  if (value.isTensorList()) return ArgumentKind::kTensorList;
  if (value.isOptionalTensorList()) return ArgumentKind::kOptionalTensorList;
  return ArgumentKind::kConstant;
}

/// Calls `visit` for the tensors of an argument; undefined ones too.
template <class Visit>
void forEachTensor(const c10::IValue& value, Visit&& visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (kindOf(value) != ArgumentKind::kConstant) {
    for (const auto& element : value.toListRef()) {
      visit(element.isTensor() ? element.toTensor() : at::Tensor());
    }
  }
}

bool isTensorType(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::TensorType) return true;
  return type.kind() == c10::TypeKind::ListType &&
         type.castRaw<c10::ListType>()->getElementType()->kind() == c10::TypeKind::TensorType;
}

bool hasEffectOnly(const c10::FunctionSchema& schema) {
  return schema.returns().empty() && !schema.is_mutable();
}

/// Whether an operator makes a tensor without reading the numbers of another one.
bool makesFromNothing(const RecordedOperator& op) {
  constexpr std::array<std::string_view, 10> kLikes{
      "aten::empty_like", "aten::zeros_like",   "aten::ones_like",         "aten::full_like",
      "aten::new_empty",  "aten::new_zeros",    "aten::new_empty_strided", "aten::new_ones",
      "aten::new_full",   "aten::empty_strided"};
  if (op.isRandom || op.results.size() != 1 || op.results.front().isList) return false;
  bool readsTensor = false;
  forEachArgument(op, [&](ValueRef ref) { readsTensor |= !ref.isNone(); });
  const std::string_view name = op.handle.operator_name().name;
  return !readsTensor || std::find(kLikes.begin(), kLikes.end(), name) != kLikes.end();
}

/// Whether an operator only gives its one tensor back.
bool isIdentity(const RecordedOperator& op) {
  size_t arguments = 0;
  ValueRef given;
  forEachArgument(op, [&](ValueRef ref) { given = ref, ++arguments; });
  return arguments == 1 && op.mutated.empty() && op.results.size() == 1 &&
         !op.results.front().isList && op.results.front().tensor == given;
}

bool canHook(const at::Tensor& tensor) {
  return !tensor.is_view() && storageOf(tensor) != nullptr && LazyTensor::from(tensor) == nullptr &&
         !(tensor.requires_grad() && tensor.is_leaf());
}

int64_t keyOf(ValueRef ref) {
  return ref.isInput() ? -2 - static_cast<int64_t>(ref.index()) : static_cast<int64_t>(ref.index());
}

}  // namespace

SegmentRecorder::SegmentRecorder(ValueTable& table, LazyTensorListener& listener, bool watchesSizes)
    : table_(table), listener_(listener), watchesSizes_(watchesSizes) {
  segment_.firstValue = table.size();
}

std::optional<BreakReason> SegmentRecorder::breakBefore(const c10::OperatorHandle& op,
                                                        const torch::jit::Stack& stack) {
  const auto& name = op.operator_name().name;
  const auto& schema = op.schema();
  if (isDeclaredUntraceable(name)) return reasonOfOperator(name, false, false);
  if (op.hasTag(at::Tag::data_dependent_output)) return reasonOfOperator(name, true, false);
  if (op.hasTag(at::Tag::dynamic_output_shape)) return reasonOfOperator(name, false, true);
  for (const auto& result : schema.returns()) {
    if (!isTensorType(*result.type())) return reasonOfOperator(name, true, false);
  }
  bool isForeign = hasEffectOnly(schema);
  for (const auto& argument : torch::jit::last(stack, schema.arguments().size())) {
    forEachTensor(argument, [&](const at::Tensor& tensor) {
      isForeign |= tensor.defined() && isOpaque(tensor);
    });
  }
  if (isForeign) return reasonOfOperator(name, false, false);
  return std::nullopt;
}

std::optional<BreakReason> SegmentRecorder::record(const c10::OperatorHandle& op,
                                                   torch::jit::Stack& stack) {
  std::optional<BreakReason> reason;
  RecordedOperator recorded = run(op, stack, reason);
  if (reason) {
    segment_.end = {SegmentEnd::Kind::kOperator, *reason, recorded.stack, std::move(recorded)};
  } else {
    segment_.operators.push_back(std::move(recorded));
  }
  return reason;
}

void SegmentRecorder::recordBreak(const c10::OperatorHandle& op, torch::jit::Stack& stack,
                                  BreakReason reason) {
  std::optional<BreakReason> late;
  RecordedOperator recorded = run(op, stack, late);
  segment_.end = {SegmentEnd::Kind::kOperator, std::move(reason), recorded.stack,
                  std::move(recorded)};
}

RecordedOperator SegmentRecorder::run(const c10::OperatorHandle& op, torch::jit::Stack& stack,
                                      std::optional<BreakReason>& reason) {
  std::vector<Written> written;
  RecordedOperator recorded = recordArguments(op, stack, written);
  const auto mark = RandomMark::current();
  const bool isTimed = Journal::instance().isRecording();
  const int64_t startNs = isTimed ? trace::nowNs() : 0;
  op.callBoxed(&stack);
  if (isTimed) operatorNs_ += trace::nowNs() - startNs;
  recorded.isRandom = !(RandomMark::current() == mark);
  if (op.hasTag(at::Tag::nondeterministic_seeded) && !recorded.isRandom) {
    bool isOnCpu = true;
    for (const auto& result : torch::jit::last(stack, op.schema().returns().size())) {
      forEachTensor(result, [&](const at::Tensor& tensor) {
        isOnCpu &= !tensor.defined() || tensor.device().is_cpu();
      });
    }
    if (!isOnCpu) requirePlain("draws random numbers on a device");
  }
  for (const auto& [tensor, before] : written) {
    if (isOpaque(tensor) || !before.hasSameLayout(tensor)) {
      reason = reasonOfMetadataMutation(op.operator_name().name);
    }
  }
  for (const auto& result : torch::jit::last(stack, op.schema().returns().size())) {
    forEachTensor(result, [&](const at::Tensor& tensor) {
      if (tensor.defined() && isOpaque(tensor)) {
        reason = reasonOfOperator(op.operator_name().name, false, false);
      }
    });
  }
  recordResults(recorded, stack, written);
  recorded.valuesAfter = segment_.values.size();
  return recorded;
}

RecordedOperator SegmentRecorder::recordArguments(const c10::OperatorHandle& op,
                                                  const torch::jit::Stack& stack,
                                                  std::vector<Written>& written) {
  RecordedOperator recorded{.handle = op};
  recorded.modes = ModeState::current();
  recorded.stack = UserStack::here();
  const auto& schema = op.schema().arguments();
  const auto values = torch::jit::last(stack, schema.size());
  for (size_t i = 0; i < schema.size(); ++i) {
    RecordedArgument argument{.kind = kindOf(values[i])};
    if (argument.kind == ArgumentKind::kConstant) argument.constant = values[i];
    const bool isWritten = schema[i].alias_info() && schema[i].alias_info()->isWrite();
    forEachTensor(values[i], [&](const at::Tensor& tensor) {
      const auto ref = use(tensor);
      if (argument.kind == ArgumentKind::kTensor) {
        argument.tensor = ref;
      } else {
        argument.tensors.push_back(ref);
      }
      argument.requiresGrad.push_back(tensor.defined() && tensor.requires_grad());
      if (ref.isNone()) return;
      recorded.hasGradient |= tensor.requires_grad();
      if (!isWritten || isOpaque(tensor)) return;
      recorded.mutated.push_back(ref);
      recorded.mutatedOwners.push_back(ownerOf(tensor, ref));
      written.push_back({tensor, TensorFacts::of(tensor)});
    });
    recorded.arguments.push_back(std::move(argument));
  }
  return recorded;
}

void SegmentRecorder::recordResults(RecordedOperator& recorded, torch::jit::Stack& stack,
                                    const std::vector<Written>& written) {
  const auto isReplaced = [&](const at::Tensor& tensor) {
    for (const auto& [target, before] : written) {
      if (target.is_same(tensor) && (isOpaque(target) || !before.hasSameLayout(target)))
        return true;
    }
    return false;
  };
  const auto takeResult = [&](at::Tensor& tensor) {
    if (!tensor.defined()) return ValueRef();
    recorded.hasGradient |= tensor.requires_grad();
    return define(tensor, isReplaced(tensor));
  };
  for (size_t i = 0; i < written.size(); ++i) {
    const bool gradient = written[i].tensor.requires_grad();
    recorded.mutatedGradients.push_back(gradient);
    recorded.hasGradient |= gradient;
    gradients_[keyOf(recorded.mutated[i])] = gradient;
  }
  const size_t count = recorded.handle.schema().returns().size();
  for (auto value = stack.end() - static_cast<std::ptrdiff_t>(count); value != stack.end();
       ++value) {
    RecordedResult result;
    if (value->isTensor()) {
      at::Tensor tensor = value->toTensor();
      result.tensor = takeResult(tensor);
      *value = std::move(tensor);
    } else if (value->isTensorList()) {
      result.isList = true;
      c10::List<at::Tensor> tensors;
      for (at::Tensor tensor : value->toTensorVector()) {
        result.tensors.push_back(takeResult(tensor));
        tensors.push_back(std::move(tensor));
      }
      *value = std::move(tensors);
    }
    recorded.results.push_back(std::move(result));
  }
}

ValueRef SegmentRecorder::use(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  auto ref = table_.find(tensor);
  if (ref.isNone()) ref = addValue(tensor, SegmentValue::Kind::kExternal);
  if (isOpaque(tensor)) return ref;
  const bool gradient = tensor.requires_grad();
  const auto [known, isFirstUse] = gradients_.emplace(keyOf(ref), gradient);
  if (known->second != gradient) {
    requirePlain("user code changed requires_grad of a value");
    known->second = gradient;
  }
  const bool isOuter =
      !segment_.defines(ref) || segment_.value(ref).kind != SegmentValue::Kind::kResult;
  if (isFirstUse && isOuter) {
    segment_.outer.push_back({ref, TensorFacts::of(tensor), ownerOf(tensor, ref)});
  }
  if (isOuter && segment_.defines(ref)) noteContent(ref, tensor, isFirstUse);
  return ref;
}

void SegmentRecorder::noteContent(ValueRef ref, const at::Tensor& tensor, bool isFirstUse) {
  auto& value = segment_.values[ref.index() - segment_.firstValue];
  if (!isFirstUse) {
    if (value.constant.defined() && !isSameContent(tensor, value.constant)) value.constant.reset();
    return;
  }
  const bool isOfProgram = LazyTensor::from(tensor) != nullptr && !value.isHostFilled;
  if (isSmallOnHost(tensor) && !isOfProgram) value.constant = at::clone(tensor);
}

bool SegmentRecorder::takeAsHostFilled(const c10::TensorImpl& tensor) {
  const auto isThis = [&](ValueRef ref) { return !ref.isNone() && table_.address(ref) == &tensor; };
  std::vector<RecordedOperator*> outside;
  ValueRef made;
  for (auto op = segment_.operators.rbegin(); op != segment_.operators.rend(); ++op) {
    bool isTaken = false, isGiven = false;
    forEachArgument(*op, [&](ValueRef ref) { isTaken |= isThis(ref); });
    forEachResult(*op, [&](ValueRef ref) { isGiven |= isThis(ref); });
    if (isTaken && !isIdentity(*op)) return false;
    if (!isTaken && !isGiven) continue;
    outside.push_back(&*op);
    if (isTaken) continue;
    if (makesFromNothing(*op)) made = op->results.front().tensor;
    break;
  }
  if (!segment_.defines(made) || !isSmallOnHost(table_.get(made))) return false;
  auto& value = segment_.values[made.index() - segment_.firstValue];
  if (value.isHostFilled && gradients_.contains(keyOf(made))) {
    // An identity has used it since.
    if (!(segment_.outer.back().ref == made)) return false;
    segment_.outer.pop_back();
  }
  for (auto* op : outside) op->isOutsideGraph = true;
  value.kind = SegmentValue::Kind::kExternal;
  value.isHostFilled = true;
  value.constant.reset();
  gradients_.erase(keyOf(made));
  return true;
}

ValueRef SegmentRecorder::define(at::Tensor& tensor, bool isReplaced) {
  const auto known = table_.find(tensor);
  if (!known.isNone() && !isReplaced && gradients_.contains(keyOf(known))) return known;
  if (isOpaque(tensor)) return addValue(tensor, SegmentValue::Kind::kResult);
  const bool isFresh = !owners_.contains(storageOf(tensor));
  if (isFresh && !isReplaced && canHook(tensor)) tensor = LazyTensor::makeBound(listener_, tensor);
  if (watchesSizes_) {
    auto* lazy = LazyTensor::from(tensor);
    if (lazy) lazy->watchSizes();
    hasUnwatched_ |= lazy == nullptr;
  }
  const auto ref = addValue(tensor, SegmentValue::Kind::kResult);
  gradients_[keyOf(ref)] = tensor.requires_grad();
  return ref;
}

ValueRef SegmentRecorder::addValue(const at::Tensor& tensor, SegmentValue::Kind kind) {
  const auto ref = ValueRef::value(segment_.endValue());
  SegmentValue value{.kind = kind};
  if (!isOpaque(tensor)) {
    value.facts = TensorFacts::of(tensor);
    value.storageOwner = ownerOf(tensor, ref);
  } else {
    value.storageOwner = ref;
  }
  if (kind == SegmentValue::Kind::kExternal) {
    value.external = WeakTensor(tensor.getIntrusivePtr());
  }
  segment_.values.push_back(std::move(value));
  table_.resize(segment_.endValue());
  table_.set(ref, tensor);
  return ref;
}

ValueRef SegmentRecorder::ownerOf(const at::Tensor& tensor, ValueRef candidate) {
  const auto& storage = tensor.unsafeGetTensorImpl()->unsafe_storage();
  if (!storage) return candidate;
  const auto [known, isNew] = owners_.try_emplace(storage.unsafeGetStorageImpl(),
                                                  Owner{candidate, storage.getWeakStorageImpl()});
  return known->second.ref;
}

void SegmentRecorder::requirePlain(const std::string& reason) {
  if (segment_.userReason.empty()) segment_.userReason = reason;
}

bool SegmentRecorder::isNewInEachCall(ValueRef ref) const {
  const auto owner = segment_.value(ref).storageOwner;
  return !table_.isAlive(ref) || (segment_.defines(owner) && segment_.value(owner).isHostFilled);
}

bool SegmentRecorder::isWritten(ValueRef ref) const {
  const auto owner = segment_.value(ref).storageOwner;
  return std::any_of(segment_.operators.begin(), segment_.operators.end(), [&](const auto& op) {
    return std::find(op.mutatedOwners.begin(), op.mutatedOwners.end(), owner) !=
           op.mutatedOwners.end();
  });
}

Segment SegmentRecorder::finish() {
  for (size_t i = 0; i < segment_.values.size(); ++i) {
    auto& value = segment_.values[i];
    if (!value.constant.defined()) continue;
    const auto ref = ValueRef::value(segment_.firstValue + i);
    if (isNewInEachCall(ref) && !isWritten(ref)) {
      value.kind = SegmentValue::Kind::kConstant;
      value.external.reset();
    } else {
      value.constant.reset();
    }
  }
  analyze(segment_);
  return std::move(segment_);
}

}  // namespace jitscope::compiler
