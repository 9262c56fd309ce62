#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/frontend/lazy_tensor.h"
#include "compiler/frontend/random_state.h"
#include "compiler/frontend/segment_tree.h"
#include "compiler/frontend/value_table.h"

namespace jitscope::compiler {

/// Runs `op` plainly and gives its results to `table` under the refs of `recorded`. Results with
/// memory of their own become hooked: `listener` is told when user code reaches for it.
void runRecorded(const RecordedOperator& recorded, torch::jit::Stack& stack, ValueTable& table,
                 LazyTensorListener& listener);

/// One run of one segment while user code issues its operators again. Leaves no trace of an
/// operator before user code has issued it. To be used inside a QuietScope.
class SegmentReplay {
 public:
  SegmentReplay(const TreeNode& node, ValueTable& table, LazyTensorListener& listener);

  /// Runs the compiled graph on the tensors from outside; without one, or when it throws, operators
  /// run as they are issued. `isPointedTo` says of each tensor from outside whether user code may
  /// write to it unseen: the graph then gets a copy, and every operator that reads the tensor later
  /// is served only if it still holds the same.
  void start(const std::vector<bool>& isPointedTo, std::span<const int64_t> symbols);

  /// The tensors from outside, in the order of the segment's outer values.
  const std::vector<at::Tensor>& outer() const { return outer_; }

  bool isPlain() const { return isPlain_; }
  /// Why operators run as they are issued; empty when they do not, or are too few for a graph.
  const std::string& plainReason() const { return plainReason_; }
  bool isDone() const { return position_ == segment_->operators.size(); }
  size_t position() const { return position_; }
  const Segment& segment() const { return *segment_; }

  /// Whether the next operator is a call of `op`. Much cheaper than to find out what kind it is.
  bool expects(const c10::OperatorHandle& op) const {
    return !isDone() && segment_->operators[position_].handle == op;
  }

  /// Serves the next operator if it is the recorded one and gives no more than a stand-in for what
  /// was computed ahead: runs no operator, reads no memory. False, with nothing changed, otherwise.
  bool serveSimply(const c10::OperatorHandle& op, torch::jit::Stack& stack);

  /// Serves the next operator if it is the recorded one: takes its arguments from the stack, pushes
  /// its results. False, with nothing changed, when it is another one.
  bool serve(const c10::OperatorHandle& op, torch::jit::Stack& stack);

  /// Makes every value real that user code holds, as of the operators served so far. Gives for
  /// each value of the segment whether it was one that the compiled graph had not given.
  std::vector<bool> settle();

 private:
  struct Ahead {
    std::vector<at::Tensor> outputs;
    std::optional<RandomState> before, after;
    std::map<ValueRef, c10::Storage> written;   ///< by owner: the final state of written memory
    std::map<ValueRef, c10::Storage> replaced;  ///< by owner: what committed writes replaced
  };

  /// Memory that user code may write to, and what it held when the graph took it.
  struct Taken {
    c10::Storage memory, content;
  };

  std::vector<Taken>::iterator findTaken(const c10::Storage& memory);
  std::string whyPlain(const std::vector<bool>& isPointedTo);
  bool takeContents(const std::vector<bool>& isPointedTo);
  bool holdsWhatWasTaken(const RecordedOperator& op);
  void noteHostFilled(const RecordedOperator& op);
  void runAhead(std::span<const int64_t> symbols);
  bool drawAsRecorded(const RecordedOperator& op);
  void commit(const RecordedOperator& op);
  void pushResults(const RecordedOperator& op, torch::jit::Stack& stack);
  at::Tensor resultOf(ValueRef ref);
  void bindOutputs();
  std::map<ValueRef, at::Tensor> execute(size_t count);

  std::shared_ptr<const Segment> segment_;
  std::shared_ptr<const CompiledSegment> compiled_;
  ValueTable& table_;
  LazyTensorListener& listener_;
  std::vector<at::Tensor> outer_;
  std::vector<Taken> taken_;
  Ahead ahead_;
  size_t position_ = 0;
  bool isPlain_ = true;
  bool hasConstants_ = false;
  std::string plainReason_;
};

/// Whether the operator on the stack is the recorded one, with the same tensors of `table`, the
/// same constants and modes. A recorded constant tensor that is not set yet is set.
bool isRecordedCall(const RecordedOperator& recorded, const Segment& segment, ValueTable& table,
                    const c10::OperatorHandle& op, const torch::jit::Stack& stack);

}  // namespace jitscope::compiler
