#include "collector/inject/windows.h"

#include <exception>
#include <new>
#include <optional>

#include "collector/inject/flight.h"
#include "trace/clock.h"
#include "trace/column_index.h"
#include "trace/process_counters.h"

namespace jitscope::collector {

namespace detail {
constinit std::atomic<bool> areRowsLookedAt{false};
}

WindowGate& windowGate() noexcept {
  // Never destroyed, and takes no memory that might be lacking.
  alignas(WindowGate) static char memory[sizeof(WindowGate)];
  static auto& only = *::new (memory) WindowGate;
  return only;
}

void prepareWindows(const char* plan, const char* folder) noexcept {
  try {
    const WindowPlan wanted = planOf(plan);
    const SharedSwitch* shared = nullptr;
    if (wanted.hasSignal && folder) {
      shared = SharedSwitch::open(SharedSwitch::pathIn(folder).c_str());
    }
    prepareFlight(wanted, shared);
    if (wanted.isFlight() || wanted.isWindowed()) lookAtRows();
    if (!wanted.isFlight()) windowGate().prepare(wanted, shared, trace::nowNs());
  } catch (const std::exception&) {
    // No memory: all is recorded.
  }
}

void countStep(WindowGate& gate, const Dictionary& dictionary,
               std::span<const int64_t> cells) noexcept {
  using trace::OpRow;
  if (cells.size() < trace::columnCount<OpRow>()) return;
  const auto name = static_cast<trace::StringId>(cells[trace::columnIndex<&OpRow::name, OpRow>()]);
  const StepMark mark = stepMarkOf(dictionary.text(name));
  if (mark == StepMark::kNone) return;
  gate.step(mark, name, cells[trace::columnIndex<&OpRow::endNs, OpRow>()]);
}

void reportSteps(WindowGate& gate, trace::EventSink& sink) noexcept {
  if (!gate.countsSteps()) return;
  const std::optional<int64_t> ended = gate.endedSteps();
  if (!ended) return;
  const int64_t nowNs = trace::nowNs();
  trace::emit(sink, trace::CounterRow{.startNs = nowNs,
                                      .endNs = nowNs,
                                      .device = trace::kNoDevice,
                                      .metric = sink.intern(trace::kStepsMetric),
                                      .value = static_cast<double>(*ended)});
}

}  // namespace jitscope::collector
