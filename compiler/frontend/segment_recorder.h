#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <unordered_map>

#include "compiler/frontend/lazy_tensor.h"
#include "compiler/frontend/segment.h"
#include "compiler/frontend/value_table.h"

namespace jitscope::compiler {

/// Runs operators for real and writes them down as one segment. Belongs to one run and one thread;
/// to be used inside a QuietScope.
class SegmentRecorder {
 public:
  /// `listener` is told when user code reaches for the memory of results, and with `watchesSizes`
  /// when it reads their sizes.
  SegmentRecorder(ValueTable& table, LazyTensorListener& listener, bool watchesSizes);

  /// Why the graph must break at this operator, as far as that can be known before it runs.
  static std::optional<BreakReason> breakBefore(const c10::OperatorHandle& op,
                                                const torch::jit::Stack& stack);

  /// Runs and records an operator. When it turned out to break the graph (it changed a tensor's
  /// layout, or gave a tensor that segments cannot hold), gives the reason; the operator then is
  /// the segment's end.
  std::optional<BreakReason> record(const c10::OperatorHandle& op, torch::jit::Stack& stack);

  /// Runs the operator that breaks the graph and makes it the segment's end.
  void recordBreak(const c10::OperatorHandle& op, torch::jit::Stack& stack, BreakReason reason);

  /// User code takes a pointer to `tensor`. When an operator of this segment has made it from
  /// nothing, and no other has read it yet, then it is user code's to fill: the operator leaves the
  /// graph, for which the tensor is one from outside. False when it is not so.
  bool takeAsHostFilled(const c10::TensorImpl& tensor);

  /// Gives the finished segment. Small tensors from outside that are gone by now, or that user code
  /// has filled, become constants.
  Segment finish();

  /// The segment must run operator by operator from now on.
  void requirePlain(const std::string& reason);

  Segment& segment() { return segment_; }
  const Segment& segment() const { return segment_; }

  /// Whether the segment gave user code a tensor whose sizes could be read unseen.
  bool hasUnwatched() const { return hasUnwatched_; }

  /// How long the recorded operators ran; 0 when nothing records.
  const int64_t& operatorNs() const { return operatorNs_; }

 private:
  struct Owner {
    ValueRef ref;
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;
  };
  struct Written {
    at::Tensor tensor;
    TensorFacts before;
  };

  RecordedOperator recordArguments(const c10::OperatorHandle& op, const torch::jit::Stack& stack,
                                   std::vector<Written>& written);
  void recordResults(RecordedOperator& recorded, torch::jit::Stack& stack,
                     const std::vector<Written>& written);
  RecordedOperator run(const c10::OperatorHandle& op, torch::jit::Stack& stack,
                       std::optional<BreakReason>& reason);
  ValueRef use(const at::Tensor& tensor);
  void noteContent(ValueRef ref, const at::Tensor& tensor, bool isFirstUse);
  bool isNewInEachCall(ValueRef ref) const;
  bool isWritten(ValueRef ref) const;
  ValueRef define(at::Tensor& tensor, bool isReplaced);
  ValueRef addValue(const at::Tensor& tensor, SegmentValue::Kind kind);
  ValueRef ownerOf(const at::Tensor& tensor, ValueRef candidate);

  ValueTable& table_;
  LazyTensorListener& listener_;
  Segment segment_;
  std::unordered_map<const void*, Owner> owners_;
  const bool watchesSizes_;
  bool hasUnwatched_ = false;
  int64_t operatorNs_ = 0;
  std::unordered_map<int64_t, bool> gradients_;  ///< of every ref that was used, as known last
};

}  // namespace jitscope::compiler
