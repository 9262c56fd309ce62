#include "compiler/frontend/segment_replay.h"

#include <ATen/core/List.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <set>

#include "compiler/frontend/lazy_gradient.h"
#include "compiler/frontend/storage_clone.h"

namespace jitscope::compiler {
namespace {

using ArgumentKind = RecordedArgument::Kind;

at::Tensor hooked(const at::Tensor& tensor, bool hasOwnMemory, LazyTensorListener& listener) {
  const bool isPlainTensor = hasOwnMemory && !isOpaque(tensor) && storageOf(tensor) != nullptr;
  if (!isPlainTensor || tensor.is_view() || LazyTensor::from(tensor) ||
      (tensor.requires_grad() && tensor.is_leaf())) {
    return tensor;
  }
  return LazyTensor::makeBound(listener, tensor);
}

/// Whether no argument on the stack shares memory with `tensor`.
bool isApart(const at::Tensor& tensor, const std::set<const void*>& storages) {
  return isOpaque(tensor) || !storages.contains(storageOf(tensor));
}

std::set<const void*> storagesOf(const RecordedOperator& recorded, const ValueTable& table) {
  std::set<const void*> storages;
  forEachArgument(recorded, [&](ValueRef ref) {
    const at::Tensor tensor = table.get(ref);
    if (tensor.defined() && !isOpaque(tensor)) storages.insert(storageOf(tensor));
  });
  return storages;
}

void pushArgument(torch::jit::Stack& stack, const RecordedArgument& argument,
                  const std::map<ValueRef, at::Tensor>& tensors) {
  const auto tensorOf = [&](ValueRef ref) { return ref.isNone() ? at::Tensor() : tensors.at(ref); };
  switch (argument.kind) {
    case ArgumentKind::kTensor:
      stack.emplace_back(tensorOf(argument.tensor));
      return;
    case ArgumentKind::kTensorList: {
      c10::List<at::Tensor> list;
      for (const auto ref : argument.tensors) list.push_back(tensorOf(ref));
      stack.emplace_back(std::move(list));
      return;
    }
    case ArgumentKind::kOptionalTensorList: {
      c10::List<std::optional<at::Tensor>> list;
      for (const auto ref : argument.tensors) {
        list.push_back(ref.isNone() ? std::nullopt : std::optional(tensorOf(ref)));
      }
      stack.emplace_back(std::move(list));
      return;
    }
    case ArgumentKind::kConstant:
      stack.push_back(argument.constant);
      return;
  }
}

void takeResults(const RecordedOperator& op, const torch::jit::Stack& stack,
                 std::map<ValueRef, at::Tensor>& tensors) {
  const size_t first = stack.size() - op.results.size();
  for (size_t i = 0; i < op.results.size(); ++i) {
    const auto& result = op.results[i];
    if (!result.isList) {
      if (!result.tensor.isNone()) tensors[result.tensor] = stack[first + i].toTensor();
      continue;
    }
    const auto list = stack[first + i].toTensorVector();
    for (size_t j = 0; j < result.tensors.size(); ++j) {
      if (!result.tensors[j].isNone()) tensors[result.tensors[j]] = list[j];
    }
  }
}

}  // namespace

void runRecorded(const RecordedOperator& recorded, torch::jit::Stack& stack, ValueTable& table,
                 LazyTensorListener& listener) {
  const auto storages = storagesOf(recorded, table);
  recorded.handle.callBoxed(&stack);
  const auto take = [&](ValueRef ref, const at::Tensor& tensor) {
    if (!tensor.defined() || ref.isNone()) return tensor;
    const bool isKnown = table.address(ref) == tensor.unsafeGetTensorImpl();
    at::Tensor made = isKnown ? tensor : hooked(tensor, isApart(tensor, storages), listener);
    table.set(ref, made);
    return made;
  };
  const size_t first = stack.size() - recorded.results.size();
  for (size_t i = 0; i < recorded.results.size(); ++i) {
    const auto& result = recorded.results[i];
    c10::IValue& value = stack[first + i];
    if (value.isTensor()) {
      value = take(result.tensor, value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      const auto tensors = value.toTensorVector();
      for (size_t j = 0; j < tensors.size(); ++j) {
        const auto ref = j < result.tensors.size() ? result.tensors[j] : ValueRef();
        list.push_back(take(ref, tensors[j]));
      }
      value = std::move(list);
    }
  }
}

SegmentReplay::SegmentReplay(const TreeNode& node, ValueTable& table, LazyTensorListener& listener)
    : segment_(node.segment), compiled_(node.compiled), table_(table), listener_(listener) {
  for (const auto& outer : segment_->outer) {
    const bool isConstant = segment_->isConstant(outer.ref);
    outer_.push_back(isConstant ? segment_->value(outer.ref).constant : table.get(outer.ref));
    hasConstants_ |= isConstant;
  }
}

std::string SegmentReplay::whyPlain(const std::vector<bool>& isPointedTo) {
  if (!segment_->analysis.plainReason.empty()) return segment_->analysis.plainReason;
  if (compiled_ && !takeContents(isPointedTo)) {
    return "user code has a pointer to memory that the segment reads";
  }
  return {};
}

std::vector<SegmentReplay::Taken>::iterator SegmentReplay::findTaken(const c10::Storage& memory) {
  return std::find_if(taken_.begin(), taken_.end(), [&](const Taken& other) {
    return other.memory.unsafeGetStorageImpl() == memory.unsafeGetStorageImpl();
  });
}

bool SegmentReplay::takeContents(const std::vector<bool>& isPointedTo) {
  for (size_t i = 0; i < outer_.size(); ++i) {
    if (!isPointedTo[i]) continue;
    const auto owner = segment_->outer[i].storageOwner;
    const bool isWritten =
        std::any_of(segment_->operators.begin(), segment_->operators.end(), [&](const auto& op) {
          return std::find(op.mutatedOwners.begin(), op.mutatedOwners.end(), owner) !=
                 op.mutatedOwners.end();
        });
    const auto& memory = outer_[i].unsafeGetTensorImpl()->unsafe_storage();
    if (isWritten || outer_[i].requires_grad() || !isSmallOnHost(memory)) return false;
    auto taken = findTaken(memory);
    if (taken == taken_.end()) {
      taken = taken_.insert(taken_.end(), {memory, cloneStorage(memory)});
    }
    outer_[i] = onStorage(taken->content, TensorFacts::of(outer_[i]));
  }
  return true;
}

bool SegmentReplay::holdsWhatWasTaken(const RecordedOperator& op) {
  bool holds = true;
  forEachArgument(op, [&](ValueRef ref) {
    const at::Tensor tensor = table_.get(ref);
    if (!tensor.defined() || isOpaque(tensor)) return;
    const auto& memory = tensor.unsafeGetTensorImpl()->unsafe_storage();
    const auto taken = findTaken(memory);
    if (taken != taken_.end()) {
      holds = holds && isSameContent(taken->memory, taken->content);
    } else if (segment_->isConstant(ref)) {
      // The match has just compared it with the constant.
      const auto& content = segment_->value(ref).constant.storage();
      const bool isWhole = memory.nbytes() == content.nbytes();
      taken_.push_back({memory, isWhole ? content : cloneStorage(memory)});
    }
  });
  return holds;
}

void SegmentReplay::noteHostFilled(const RecordedOperator& op) {
  if (!op.isOutsideGraph || op.results.front().tensor.isNone()) return;
  const auto ref = op.results.front().tensor;
  if (!segment_->isConstant(ref)) return;
  taken_.push_back({table_.get(ref).unsafeGetTensorImpl()->unsafe_storage(),
                    segment_->value(ref).constant.storage()});
}

void SegmentReplay::start(const std::vector<bool>& isPointedTo, std::span<const int64_t> symbols) {
  plainReason_ = whyPlain(isPointedTo);
  isPlain_ = !compiled_ || !plainReason_.empty();
  if (isPlain_) return;
  if (segment_->analysis.randomOp) ahead_.before = RandomState::current();
  try {
    runAhead(symbols);
  } catch (const std::exception& error) {
    // User code may never issue the operator that failed; if it does, it fails there.
    isPlain_ = true;
    plainReason_ = std::string("its graph failed: ") + error.what();
    ahead_.outputs.clear();
  }
  if (!ahead_.before) return;
  ahead_.after = RandomState::current();
  ahead_.before->restore();
}

void SegmentReplay::runAhead(std::span<const int64_t> symbols) {
  for (size_t i = 0; i < segment_->operators.size(); ++i) {
    if (!segment_->analysis.plans[i].writesVisible) continue;
    const auto& op = segment_->operators[i];
    for (size_t j = 0; j < op.mutated.size(); ++j) {
      if (segment_->isVisible(op.mutated[j])) ahead_.written[op.mutatedOwners[j]];
    }
  }
  std::vector<at::Tensor> inputs = outer_;
  for (size_t i = 0; i < inputs.size() && !ahead_.written.empty(); ++i) {
    const auto found = ahead_.written.find(segment_->outer[i].storageOwner);
    if (found == ahead_.written.end()) continue;
    if (!found->second) {
      found->second = cloneStorage(inputs[i].unsafeGetTensorImpl()->unsafe_storage());
    }
    inputs[i] = onStorage(found->second, TensorFacts::of(inputs[i]));
  }
  const ModeScope modes(compiled_->startModes);
  ahead_.outputs = compiled_->call(inputs, symbols);
  const auto& refs = compiled_->graph.outputs;
  for (size_t i = 0; i < refs.size(); ++i) {
    TORCH_CHECK(segment_->value(refs[i]).facts.hasSameLayout(ahead_.outputs[i]),
                "jitscope: replay: a graph gave other sizes than were predicted");
  }
}

bool SegmentReplay::serveSimply(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  // The last one binds what user code holds, which takes more.
  if (isPlain_ || position_ + 1 >= segment_->operators.size()) return false;
  // Memory that user code can write to must be compared first.
  if (hasConstants_ || !taken_.empty()) return false;
  if (!segment_->analysis.plans[position_].isSimple) return false;
  const auto& recorded = segment_->operators[position_];
  if (!isRecordedCall(recorded, *segment_, table_, op, stack)) return false;
  torch::jit::drop(stack, recorded.arguments.size());
  stack.emplace_back(resultOf(recorded.results.front().tensor));
  ++position_;
  return true;
}

bool SegmentReplay::serve(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const auto& recorded = segment_->operators[position_];
  if (!isRecordedCall(recorded, *segment_, table_, op, stack)) return false;
  if (isPlain_) {
    runRecorded(recorded, stack, table_, listener_);
    ++position_;
    return true;
  }
  if ((hasConstants_ || !taken_.empty()) && !holdsWhatWasTaken(recorded)) return false;
  const auto& plan = segment_->analysis.plans[position_];
  if (plan.isSimple) {
    torch::jit::drop(stack, recorded.arguments.size());
    stack.emplace_back(resultOf(recorded.results.front().tensor));
    if (++position_ == segment_->operators.size()) bindOutputs();
    return true;
  }
  if (recorded.isRandom && !drawAsRecorded(recorded)) return false;
  if (!recorded.mutated.empty()) commit(recorded);
  if (plan.makesVisibleView) {
    runRecorded(recorded, stack, table_, listener_);
    noteHostFilled(recorded);
  } else {
    torch::jit::drop(stack, recorded.arguments.size());
    pushResults(recorded, stack);
  }
  if (++position_ == segment_->operators.size()) bindOutputs();
  return true;
}

bool SegmentReplay::drawAsRecorded(const RecordedOperator&) {
  if (!ahead_.before->isCurrent()) return false;
  ahead_.after->restore();
  return true;
}

void SegmentReplay::commit(const RecordedOperator& op) {
  for (size_t i = 0; i < op.mutated.size(); ++i) {
    const at::Tensor target = table_.get(op.mutated[i]);
    if (segment_->isVisible(op.mutated[i])) {
      const auto owner = op.mutatedOwners[i];
      auto& replaced = ahead_.replaced[owner];
      if (!replaced) replaced = cloneStorage(target.unsafeGetTensorImpl()->unsafe_storage());
      const c10::NoGradGuard noGrad;
      target.copy_(onStorage(ahead_.written.at(owner), TensorFacts::of(target)));
    } else {
      target.unsafeGetTensorImpl()->bump_version();
      if (op.mutatedGradients[i] && !target.requires_grad()) expectGradient(target);
    }
  }
}

void SegmentReplay::pushResults(const RecordedOperator& op, torch::jit::Stack& stack) {
  for (const auto& result : op.results) {
    if (!result.isList) {
      stack.emplace_back(resultOf(result.tensor));
      continue;
    }
    c10::List<at::Tensor> list;
    for (const auto ref : result.tensors) list.push_back(resultOf(ref));
    stack.emplace_back(std::move(list));
  }
}

at::Tensor SegmentReplay::resultOf(ValueRef ref) {
  if (ref.isNone()) return {};
  if (table_.address(ref)) return table_.get(ref);
  const auto& facts = segment_->value(ref).facts;
  at::Tensor made = LazyTensor::make(listener_, facts);
  if (facts.requiresGrad) expectGradient(made);
  table_.set(ref, made);
  return made;
}

void SegmentReplay::bindOutputs() {
  StandIns standIns;
  const auto& refs = compiled_->graph.outputs;
  for (size_t i = 0; i < refs.size(); ++i) {
    const at::Tensor tensor = table_.get(refs[i]);
    if (!tensor.defined()) continue;
    const auto* lazy = LazyTensor::from(tensor);
    if (lazy && !lazy->isBound()) standIns.emplace_back(ahead_.outputs[i], tensor);
  }
  for (const auto& [real, standIn] : standIns) bindLazily(standIn, real, standIns);
  ahead_.outputs.clear();
}

std::vector<bool> SegmentReplay::settle() {
  std::vector<bool> late(segment_->values.size());
  if (isPlain_) return late;
  bool isAnyLate = false;
  const size_t count = position_ == 0 ? 0 : segment_->operators[position_ - 1].valuesAfter;
  for (size_t i = 0; i < count; ++i) {
    const auto ref = ValueRef::value(segment_->firstValue + i);
    if (!table_.isAlive(ref)) continue;
    const auto* lazy = LazyTensor::from(table_.get(ref));
    late[i] = lazy && !lazy->isBound();
    isAnyLate |= late[i];
  }
  if (!isAnyLate) return late;
  const auto tensors = execute(position_);
  StandIns standIns;
  for (size_t i = 0; i < count; ++i) {
    const auto ref = ValueRef::value(segment_->firstValue + i);
    if (late[i]) standIns.emplace_back(tensors.at(ref), table_.get(ref));
  }
  for (const auto& [real, standIn] : standIns) bindLazily(standIn, real, standIns);
  return late;
}

std::map<ValueRef, at::Tensor> SegmentReplay::execute(size_t count) {
  std::map<ValueRef, at::Tensor> tensors;
  std::map<ValueRef, c10::Storage> states;
  for (size_t i = 0; i < outer_.size(); ++i) {
    const auto& outer = segment_->outer[i];
    at::Tensor tensor = outer_[i];
    if (ahead_.written.contains(outer.storageOwner)) {
      auto& state = states[outer.storageOwner];
      const auto replaced = ahead_.replaced.find(outer.storageOwner);
      if (!state) {
        state = cloneStorage(replaced == ahead_.replaced.end()
                                 ? tensor.unsafeGetTensorImpl()->unsafe_storage()
                                 : replaced->second);
      }
      tensor = onStorage(state, outer.facts);
    }
    tensors[outer.ref] = tensor;
  }
  const auto random = segment_->analysis.randomOp;
  const bool isRandom = random && *random < count;
  const auto now = isRandom ? std::optional(RandomState::current()) : std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    const auto& op = segment_->operators[i];
    if (op.isOutsideGraph) continue;
    if (isRandom && *random == i) ahead_.before->restore();
    torch::jit::Stack stack;
    for (const auto& argument : op.arguments) pushArgument(stack, argument, tensors);
    const ModeScope modes(op.modes);
    op.handle.callBoxed(&stack);
    takeResults(op, stack, tensors);
  }
  if (now) now->restore();
  return tensors;
}

}  // namespace jitscope::compiler
