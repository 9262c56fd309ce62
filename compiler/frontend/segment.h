#pragma once

#include <ATen/core/Tensor.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/errors.h"
#include "compiler/frontend/recorded_operator.h"
#include "compiler/frontend/tensor_facts.h"
#include "compiler/source/user_stack.h"

namespace jitscope::compiler {

/// A tensor that does not keep its memory alive, and whose address is not used again meanwhile.
using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// A value that is defined on the path of a program.
struct SegmentValue {
  enum class Kind : uint8_t {
    kResult,    ///< of an operator
    kExternal,  ///< a tensor that user code brought from elsewhere; the same object in every call
                ///< if it has an `external`, else another one in each
    kConstant,  ///< a small tensor that user code made from numbers, the same ones in every call
  };
  Kind kind = Kind::kResult;
  TensorFacts facts{};
  ValueRef storageOwner{};  ///< the first input or value with the same storage
  std::optional<WeakTensor> external{};
  at::Tensor constant{};      ///< what a constant holds
  bool isHostFilled = false;  ///< an operator outside of the graph makes it, user code fills it
  std::shared_ptr<const TensorType> symbolic{};  ///< when its sizes follow the program's symbols
};

/// How a segment ends.
struct SegmentEnd {
  enum class Kind : uint8_t {
    kOpen,        ///< user code returned, or nothing is known
    kOperator,    ///< an operator that breaks the graph
    kExplicit,    ///< a call of breakGraph
    kRawAccess,   ///< user code took a pointer to a tensor's memory
    kAutograd,    ///< user code touched autograd's state
    kDivergence,  ///< calls went on differently from here
  };
  Kind kind = Kind::kOpen;
  BreakReason reason;
  UserStack stack;
  std::optional<RecordedOperator> op;  ///< of kOperator

  bool isBreak() const { return kind != Kind::kOpen && kind != Kind::kDivergence; }
};

/// How one operator is served when it is matched.
struct MatchPlan {
  bool isSimple = false;          ///< one new tensor that exists in the compiled run alone
  bool makesVisibleView = false;  ///< a new view of memory that user code may see
  bool writesVisible = false;     ///< writes to memory that user code may see
};

/// A tensor that a segment takes from outside, as it was when the segment first used it.
struct OuterValue {
  ValueRef ref;
  TensorFacts facts;
  ValueRef storageOwner;                         ///< the first outer value with the same storage
  std::shared_ptr<const TensorType> symbolic{};  ///< when its sizes follow the program's symbols
};

/// Operators between two breaks. What user code does is recorded once; never changed afterwards.
struct Segment {
  size_t firstValue = 0;  ///< number of the first value that it defines
  std::vector<RecordedOperator> operators;
  std::vector<OuterValue> outer;    ///< in the order of their first use by an operator
  std::deque<SegmentValue> values;  ///< those of the breaking operator included
  SegmentEnd end;
  std::string userReason;  ///< why user code forbids to run it ahead; empty when it does not

  /// Derived by `analyze`.
  struct Analysis {
    std::vector<MatchPlan> plans;    ///< one per operator
    std::optional<size_t> randomOp;  ///< the operator that draws random numbers
    std::string plainReason;         ///< why it cannot run ahead of user code; empty when it can
    /// The first operator that cannot run ahead together with those before it, but by itself: to be
    /// split there before it is replayed.
    std::optional<size_t> splitAt;
  } analysis;

  bool defines(ValueRef ref) const {
    return ref.isValue() && ref.index() >= firstValue && ref.index() < firstValue + values.size();
  }
  const SegmentValue& value(ValueRef ref) const { return values[ref.index() - firstValue]; }
  bool isConstant(ValueRef ref) const {
    return defines(ref) && value(ref).kind == SegmentValue::Kind::kConstant;
  }
  size_t endValue() const { return firstValue + values.size(); }

  /// Whether the memory of `ref` can be seen outside of a compiled run of this segment: it is an
  /// input's, an external tensor's or an earlier segment's.
  bool isVisible(ValueRef ref) const;
};

/// The modes to run a segment in: those of its first operator that reads a tensor. (Factories of
/// the torch namespace run below autograd, which is no mode of user code.) The segment has
/// operators.
const ModeState& startModes(const Segment& segment);

/// Fills in `segment.analysis`.
void analyze(Segment& segment);

}  // namespace jitscope::compiler
