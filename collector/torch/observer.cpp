#include "collector/torch/observer.h"

#include <ATen/record_function.h>

#include <memory>

#include "collector/torch/operator_thread.h"
#include "collector/torch/shapes.h"
#include "trace/clock.h"
#include "trace/sink.h"

namespace jitscope::collector {
namespace {

trace::EventSink* target = nullptr;

// The thread alone writes them, so no atomic read-modify-write.
void increase(std::atomic<int64_t>& count, int64_t by) {
  count.store(count.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

void addOverhead(OperatorThread& thread, int64_t durationNs) {
  increase(thread.overheadNs, durationNs * OperatorThread::kOverheadSample);
}

void begin(const at::RecordFunction& function) {
  OperatorThread* thread = OperatorThread::current();
  if (!thread) return;
  const int64_t thisThread = thread->id();
  OpenOperator* open = thread->push(&function);
  if (!open) return;
  const int64_t enteredNs = open->isTimed ? trace::nowNs() : 0;
  Shapes shapes;
  const c10::ArrayRef<const c10::IValue> inputs = function.inputs();
  shapes.read({inputs.data(), inputs.size()});
  trace::OpRow& row = open->row;
  row.thread = thisThread;
  row.name = thread->names.intern(function.name(), *target);
  row.shapes = thread->shapes.intern(shapes, *target);
  row.sequence = function.seqNr();
  row.isBackward = function.scope() == at::RecordScope::BACKWARD_FUNCTION;
  row.forwardThread = row.isBackward ? threadOfLogicalId(function.forwardThreadId()) : 0;
  row.startNs = trace::nowNs();  // last, so that an operator's time is its own
  if (enteredNs) addOverhead(*thread, row.startNs - enteredNs);
}

void end(const at::RecordFunction& function) {
  const int64_t endNs = trace::nowNs();
  OperatorThread* thread = OperatorThread::current();
  if (!thread) return;
  OpenOperator* open = thread->pop(&function);
  if (!open) return increase(thread->lost, 1);
  open->row.endNs = endNs;
  trace::emit(*target, open->row);
  if (open->isTimed) addOverhead(*thread, trace::nowNs() - endNs);
  increase(thread->operators, 1);
}

// LibTorch prints what escapes its callbacks; an operator that cannot be recorded is passed over.
std::unique_ptr<at::ObserverContext> onBegin(const at::RecordFunction& function) noexcept {
  try {
    begin(function);
  } catch (...) {
  }
  return nullptr;
}

void onEnd(const at::RecordFunction& function, at::ObserverContext*) noexcept {
  try {
    end(function);
  } catch (...) {
  }
}

}  // namespace

void observeOperators(trace::EventSink& sink) {
  target = &sink;
  at::addGlobalCallback(at::RecordFunctionCallback(onBegin, onEnd)
                            .needsInputs(true)
                            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION,
                                     at::RecordScope::USER_SCOPE}));
}

void reportOperatorCounts(trace::EventSink& sink) {
  const OperatorCounts counts = OperatorThread::countsOfAll();
  const auto report = [&](trace::LossKind kind, int64_t amount, std::string_view text) {
    trace::emit(sink, trace::LossRow{.timeNs = trace::nowNs(),
                                     .kind = kind,
                                     .place = sink.intern("operators"),
                                     .text = sink.intern(text),
                                     .amount = amount});
  };
  if (counts.operators) {
    report(trace::LossKind::kOverhead, counts.overheadNs,
           "recording operators, estimated from 1 in 64");
  }
  if (counts.lost) {
    report(trace::LossKind::kDropped, counts.lost,
           "operators nested too deeply, or ended on another thread");
  }
}

}  // namespace jitscope::collector
