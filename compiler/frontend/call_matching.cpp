#include <ATen/core/List.h>
#include <c10/core/UndefinedTensorImpl.h>

#include "compiler/frontend/segment_replay.h"
#include "compiler/frontend/storage_clone.h"

namespace jitscope::compiler {
namespace {

using ArgumentKind = RecordedArgument::Kind;

class CallMatcher {
 public:
  CallMatcher(const Segment& segment, ValueTable& table) : segment_(segment), table_(table) {}

  bool matches(const RecordedArgument& recorded, const c10::IValue& value) {
    switch (recorded.kind) {
      case ArgumentKind::kTensor:
        return value.isTensor() && isTensor(recorded.tensor, recorded.requiresGrad[0], value);
      case ArgumentKind::kTensorList:
        return value.isTensorList() && isList(recorded, value);
      case ArgumentKind::kOptionalTensorList:
        return value.isOptionalTensorList() && isList(recorded, value);
      case ArgumentKind::kConstant:
        return isSameConstant(recorded.constant, value);
    }
    return false;
  }

 private:
  bool isTensor(ValueRef ref, bool requiresGrad, const c10::IValue& value) {
    auto* impl = value.isNone() ? nullptr : value.unsafeToTensorImpl();
    const bool isUndefined = !impl || impl == c10::UndefinedTensorImpl::singleton();
    if (ref.isNone() || isUndefined) return ref.isNone() && isUndefined;
    if (impl->requires_grad() != requiresGrad) return false;
    return impl == table_.address(ref) || isConstant(ref, value.toTensor());
  }

  bool isConstant(ValueRef ref, const at::Tensor& tensor) {
    if (!segment_.defines(ref)) return false;
    const auto& value = segment_.value(ref);
    if (value.kind != SegmentValue::Kind::kConstant || value.isHostFilled) return false;
    if (isOpaque(tensor) || !value.facts.matches(tensor)) return false;
    if (!isSmallOnHost(tensor) || !isSameContent(tensor, value.constant)) return false;
    table_.set(ref, tensor);
    return true;
  }

  bool isList(const RecordedArgument& recorded, const c10::IValue& value) {
    const auto list = value.toListRef();
    if (list.size() != recorded.tensors.size()) return false;
    for (size_t i = 0; i < list.size(); ++i) {
      if (!isTensor(recorded.tensors[i], recorded.requiresGrad[i], list[i])) return false;
    }
    return true;
  }

  const Segment& segment_;
  ValueTable& table_;
};

}  // namespace

bool isRecordedCall(const RecordedOperator& recorded, const Segment& segment, ValueTable& table,
                    const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  if (!(recorded.handle == op) || !(recorded.modes == ModeState::current())) return false;
  CallMatcher matcher(segment, table);
  const size_t first = stack.size() - recorded.arguments.size();
  for (size_t i = 0; i < recorded.arguments.size(); ++i) {
    if (!matcher.matches(recorded.arguments[i], stack[first + i])) return false;
  }
  return true;
}

}  // namespace jitscope::compiler
