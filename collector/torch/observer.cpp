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
bool readsNamesOnly = false;

// The thread alone writes them, so no atomic read-modify-write.
void increase(std::atomic<int64_t>& count, int64_t by) {
  count.store(count.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

void addOverhead(OperatorThread& thread, int64_t durationNs) {
  increase(thread.overheadNs, durationNs * OperatorThread::kOverheadSample);
}

bool isOf(CompiledRange::Kind kind, const OpenOperator& open) {
  return open.compiled && open.compiled->kind == kind;
}

// What an operator that begins means to torch.compile.
void beginCompiled(OperatorThread& thread, OpenOperator& open, const at::RecordFunction& function) {
  trace::OpRow& row = open.row;
  open.compiled = compiledRangeOf(function.name());
  if (!open.compiled) return thread.calls.operatorBegun(row.thread, *target);
  if (isOf(CompiledRange::Kind::kForward, open)) {
    thread.calls.forwardBegun(row.sequence, row.thread);
  }
  if (!isOf(CompiledRange::Kind::kCode, open)) return;
  open.begun = thread.calls.codeBegun(*open.compiled, trace::nowNs());
}

// Gives false for what is an operator as well, or nothing but one.
bool endCompiled(OperatorThread& thread, const OpenOperator& open) {
  const trace::OpRow& row = open.row;
  if (isOf(CompiledRange::Kind::kCode, open)) {
    return thread.calls.codeEnded(*open.compiled, open.begun, row.endNs, row.thread, *target);
  }
  if (isOf(CompiledRange::Kind::kBackward, open)) writeBackwardRegion(row, *target);
  if (!isOf(CompiledRange::Kind::kLookup, open)) return false;
  thread.calls.lookedUp(row.startNs, row.endNs, row.thread, *target);
  return true;
}

void readOperator(OperatorThread& thread, const at::RecordFunction& function, trace::OpRow& row) {
  Shapes shapes;
  const c10::ArrayRef<const c10::IValue> inputs = function.inputs();
  shapes.read({inputs.data(), inputs.size()});
  row.shapes = thread.shapes.intern(shapes, *target);
  row.sequence = function.seqNr();
  row.isBackward = function.scope() == at::RecordScope::BACKWARD_FUNCTION;
  row.forwardThread = row.isBackward ? threadOfLogicalId(function.forwardThreadId()) : 0;
}

void begin(const at::RecordFunction& function) {
  OperatorThread* thread = OperatorThread::current();
  if (!thread) return;
  const int64_t thisThread = thread->id();
  OpenOperator* open = thread->push(&function);
  if (!open) return;
  const int64_t enteredNs = open->isTimed ? trace::nowNs() : 0;
  trace::OpRow& row = open->row;
  row.thread = thisThread;
  row.name = thread->names.intern(function.name(), *target);
  if (!readsNamesOnly) readOperator(*thread, function, row);
  beginCompiled(*thread, *open, function);
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
  if (!endCompiled(*thread, *open)) trace::emit(*target, open->row);
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

void observeOperators(trace::EventSink& sink, Detail detail) {
  target = &sink;
  readsNamesOnly = detail == Detail::kNames;
  at::addGlobalCallback(at::RecordFunctionCallback(onBegin, onEnd)
                            .needsInputs(!readsNamesOnly)
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
