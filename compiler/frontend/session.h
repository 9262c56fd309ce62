#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/frontend/dispatch_hook.h"
#include "compiler/frontend/lazy_tensor.h"
#include "compiler/frontend/program_state.h"
#include "compiler/frontend/segment_recorder.h"
#include "compiler/frontend/segment_replay.h"
#include "compiler/frontend/session_lock.h"
#include "compiler/frontend/value_table.h"

namespace jitscope::compiler {

/// One run of a program's user code: follows the operators along the known segments, and records
/// where nothing is known.
///
/// Lives on the stack of the thread that runs user code. Other threads may reach it only through
/// the memory of a LazyTensor.
class Session final : public OperatorListener, public LazyTensorListener {
 public:
  Session(ProgramState& state, std::span<const int64_t> symbols, RunReport& report);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The session whose user code the calling thread runs; null outside.
  static Session* current();

  /// Runs user code and learns from it.
  void run(std::span<const at::Tensor> inputs, const UserCode& userCode,
           std::vector<at::Tensor>& results);

  CaptureState captureState() const;

  /// User code broke the graph by `kind` at this place.
  void breakHere(SegmentEnd::Kind kind, const BreakReason& reason);

  /// Until `leavePlain`, operators go past the session.
  void enterPlain(const BreakReason& reason);
  void leavePlain();

  /// See Program::addInput.
  int64_t addInput(const ProgramInput& input, const at::Tensor& tensor);

  bool serveSimply(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
  void onOperator(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
  void onDataAccess(const LazyTensor& tensor) override;
  void onGradientAccess(const LazyTensor& tensor, const char* what) override;
  void onSizeRead(const LazyTensor& tensor) override;

 private:
  enum class Mode { kBetween, kCapturing, kReplaying, kPlain };

  /// Where the run is in the tree.
  struct Place {
    Mode mode = Mode::kBetween;
    int node = TreeNode::kRoot;      ///< the segment that ended last, or is being replayed
    bool isBreakPending = false;     ///< the node's breaking operator has not come yet
    bool isExplicitPending = false;  ///< the node's explicit break has not come yet
    int plainDepth = 0;
  };
  struct Captured {
    SegmentRecorder recorder;
    std::vector<at::Tensor> examples;  ///< of the segment's outer values
    std::vector<bool> isAlive;         ///< of its values, when it ended
  };
  struct Knowledge {
    std::shared_ptr<const ProgramState::Learned> base;   ///< as published
    std::shared_ptr<const ProgramState::Learned> sized;  ///< for this run's symbols; base if null
    std::unique_ptr<ProgramState::Learned> edited;
    ProgramState::Sample sample;            ///< what explains a new capture, if anything does
    std::vector<Specialization> sizeReads;  ///< of dynamic sizes, by user code under capture
  };
  /// A break that the run is in: from the end of one segment to the start of the next.
  struct Stall {
    BreakReason reason;
    UserStack stack;
    int after = TreeNode::kRoot;
    bool isFirst = false;
    int64_t startNs = 0;
  };
  /// While one lives the session's own work goes on: its operators and accesses are nobody's.
  class Busy;

  const ProgramState::Learned& known() const {
    if (knowledge_.edited) return *knowledge_.edited;
    return knowledge_.sized ? *knowledge_.sized : *knowledge_.base;
  }
  ProgramState::Learned& edit();
  void chooseSizes();

  // Following (session.cpp).
  bool tryServe(const c10::OperatorHandle& op, torch::jit::Stack& stack);
  bool serveBreak(const c10::OperatorHandle& op, torch::jit::Stack& stack);
  bool descendToExplicitBreak();
  void runPlainly();
  void noteNotCompiled(int node, const std::string& reason);
  void closeReplay();
  void diverge(const std::string& actual);

  // Entering a known segment (session_enter.cpp).
  bool enterChild(const c10::OperatorHandle& op, const torch::jit::Stack& stack);
  bool canEnter(int child, const c10::OperatorHandle& op, const torch::jit::Stack& stack);
  void bindDynamically(const RecordedOperator& first, const Segment& segment,
                       const c10::OperatorHandle& op, const torch::jit::Stack& stack);
  bool freeConstant(int child, const c10::OperatorHandle& op, const torch::jit::Stack& stack);
  std::vector<bool> pointedTo(const SegmentReplay& replay) const;
  void startReplay(int child);

  // Recording (session_capture.cpp).
  bool watchesSizes() const;
  void beginCapture();
  void capture(const c10::OperatorHandle& op, torch::jit::Stack& stack);
  bool takeAsHostFilled(const LazyTensor& tensor);
  void noteBreak(const BreakReason& reason, bool isFirst, int after, const UserStack& stack);
  void endStall();
  void closeCapture();
  int capturedNumber() const;

  // The end of a run (session_finish.cpp).
  std::vector<at::Tensor> hookInputs(std::span<const at::Tensor> inputs);
  void finish(std::span<const at::Tensor> inputs, std::span<const at::Tensor> hooked,
              std::vector<at::Tensor>& results);
  void addCaptured(const std::vector<at::Tensor>& results);
  void compileCaptured(int number, const Captured& captured,
                       const std::vector<at::Tensor>& results);
  bool isFreeOfSizes() const;
  bool dividesSizes() const;
  std::unique_ptr<StraightRun> straightRun(const std::vector<at::Tensor>& results) const;
  void publish(std::unique_ptr<StraightRun> straight);
  void settleAfterThrow(std::span<const at::Tensor> inputs, std::span<const at::Tensor> hooked);

  struct Run {
    ProgramState& state;
    std::span<const int64_t> symbols;
    RunReport& report;
    ModeState initialModes;
    SessionLock mutex;
    std::atomic<int> busyDepth{0};
  };

  Run run_;
  Knowledge knowledge_;
  Place place_;
  ValueTable table_;
  std::optional<SegmentReplay> replay_;
  std::vector<std::unique_ptr<Captured>> captured_;
  std::optional<Stall> stall_;
  /// Memory that user code may hold a pointer to. Weak, so that no address is used again.
  std::unordered_map<const void*, c10::weak_intrusive_ptr<c10::StorageImpl>> rawStorages_;
};

}  // namespace jitscope::compiler
