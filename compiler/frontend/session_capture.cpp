#include <algorithm>

#include "compiler/frontend/capture_timer.h"
#include "compiler/frontend/session.h"
#include "compiler/frontend/session_busy.h"
#include "compiler/journal/journal.h"
#include "trace/clock.h"

namespace jitscope::compiler {

bool Session::watchesSizes() const {
  return !run_.symbols.empty() && known().tree.size() == 0 && captured_.empty();
}

void Session::onSizeRead(const LazyTensor& tensor) {
  if (run_.busyDepth > 0) return;
  const std::scoped_lock lock(run_.mutex);
  const Busy busy(*this);
  const auto sizes = tensor.sizes();
  for (size_t i = 0; i < run_.symbols.size(); ++i) {
    const auto& symbol = run_.state.symbols[i];
    if (symbol.input == ProgramSymbol::kScalar) continue;
    const int64_t value = run_.symbols[i];
    const auto isAt = [&](size_t input) {
      return table_.address(ValueRef::input(input)) == &tensor;
    };
    const bool isInput =
        isAt(symbol.input) || std::any_of(symbol.alsoAt.begin(), symbol.alsoAt.end(),
                                          [&](const auto& other) { return isAt(other.input); });
    const bool hasValue = std::find(sizes.begin(), sizes.end(), value) != sizes.end();
    const bool isKnown =
        std::any_of(knowledge_.sizeReads.begin(), knowledge_.sizeReads.end(),
                    [&](const Specialization& read) { return read.source == symbol.source; });
    if (isKnown || !(isInput || hasValue)) continue;
    knowledge_.sizeReads.push_back(
        {symbol.source, value, "user code read this size", UserStack::here()});
  }
}

int Session::capturedNumber() const {
  return static_cast<int>(known().tree.size() + captured_.size()) - 1;
}

void Session::beginCapture() {
  const bool isFull = captured_.empty() &&
                      known().tree.childrenOf(place_.node).size() >= run_.state.context.childLimit;
  if (isFull) return runPlainly();
  const bool goesOn = place_.node != TreeNode::kRoot && captured_.empty();
  if (goesOn) table_.resize(known().tree.node(place_.node).segment->endValue());
  if (captured_.empty() && !goesOn) table_.resize(0);
  captured_.push_back(
      std::make_unique<Captured>(Captured{SegmentRecorder(table_, *this, watchesSizes()), {}, {}}));
  place_.mode = Mode::kCapturing;
}

void Session::capture(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  auto& captured = *captured_.back();
  const CaptureTimer timer(run_.report.captureNs, captured.recorder.operatorNs());
  const auto before = SegmentRecorder::breakBefore(op, stack);
  if (before) {
    noteBreak(*before, true, capturedNumber(), UserStack::here());
    closeCapture();
    captured.recorder.recordBreak(op, stack, *before);
    ++run_.report.opsCaptured;
    return;
  }
  const auto late = captured.recorder.record(op, stack);
  ++run_.report.opsCaptured;
  const auto& outer = captured.recorder.segment().outer;
  while (captured.examples.size() < outer.size()) {
    const auto ref = outer[captured.examples.size()].ref;
    const auto& segment = captured.recorder.segment();
    const bool mayBeConstant = segment.defines(ref) && segment.value(ref).constant.defined();
    captured.examples.push_back(mayBeConstant ? segment.value(ref).constant : table_.get(ref));
  }
  if (!late) return;
  noteBreak(*late, true, capturedNumber(), captured.recorder.segment().end.stack);
  closeCapture();
}

/// Whether user code points to memory that it fills before the graph reads it.
bool Session::takeAsHostFilled(const LazyTensor& tensor) {
  if (place_.mode != Mode::kCapturing) return false;
  const QuietScope quiet;
  const Busy busy(*this);
  auto& captured = *captured_.back();
  if (!captured.recorder.takeAsHostFilled(tensor)) return false;
  captured.examples.resize(
      std::min(captured.examples.size(), captured.recorder.segment().outer.size()));
  return true;
}

void Session::closeCapture() {
  auto& captured = *captured_.back();
  const auto& segment = captured.recorder.segment();
  captured.isAlive.resize(segment.values.size());
  for (size_t i = 0; i < captured.isAlive.size(); ++i) {
    captured.isAlive[i] = table_.isAlive(ValueRef::value(segment.firstValue + i));
  }
  place_.mode = Mode::kBetween;
}

void Session::noteBreak(const BreakReason& reason, bool isFirst, int after,
                        const UserStack& stack) {
  endStall();
  ++run_.report.breaks;
  if (isFirst && run_.state.context.fullgraph) throw GraphBreakError(reason, userLine(stack));
  if (!Journal::instance().wantsCompileEvents()) return;
  stall_ = Stall{reason, stack, after, isFirst, trace::nowNs()};
}

void Session::endStall() {
  if (!stall_) return;
  const int64_t endNs = trace::nowNs();
  const auto after = static_cast<trace::SegmentId>(stall_->after);
  auto& journal = Journal::instance();
  const auto& id = run_.state.context.id;
  if (stall_->isFirst) {
    journal.graphBreak(id, after, stall_->reason, stall_->stack, stall_->startNs, endNs);
  } else {
    journal.graphBreakPassed(id, after, stall_->reason, stall_->stack, stall_->startNs, endNs);
  }
  stall_.reset();
}

int64_t Session::addInput(const ProgramInput& input, const at::Tensor& tensor) {
  if (captureState() != CaptureState::kCapturing) return -1;
  const std::scoped_lock lock(run_.state.mutex);
  run_.state.inputs.push_back(input);
  return static_cast<int64_t>(table_.addInput(tensor).index());
}

}  // namespace jitscope::compiler
