#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/import/chrome_event.h"
#include "analyzer/import/compiled_spans.h"
#include "analyzer/import/event_class.h"
#include "analyzer/import/gpu_tally.h"
#include "analyzer/import/import.h"
#include "analyzer/import/kept_rows.h"
#include "analyzer/import/span_nesting.h"
#include "analyzer/import/thread_names.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// Makes rows and counts of the events of one Chrome trace. What needs other events (origins of
/// kernels, depths of operators, calls) is done by `finish`. For one thread.
class KinetoRows {
 public:
  /// Writes into `trace`; both must outlive this.
  KinetoRows(trace::MemoryTrace& trace, Import& import) : trace_(trace), import_(import) {}

  /// Takes one event. Its texts need to live until the call returns.
  void add(const ChromeEvent& event);

  /// Takes an element of the list that is no event.
  void addOther() { ++counts_.events; }

  /// Ends the trace: writes what is made of several events, and the counts.
  void finish();

  /// The host's process id, as the first operator or API call tells it; 0 when there is none.
  int64_t processId() const { return processId_; }

  /// The program that was recorded, as far as the file tells: "python" where it shows signs of it
  /// or tells nothing.
  std::string_view programName() const;

 private:
  struct Counts {
    int64_t events = 0, kernels = 0, copies = 0, sets = 0, flows = 0, steps = 0;
    int64_t triton = 0, nccl = 0, graphLaunches = 0, textTimes = 0, negative = 0, atZero = 0;
    int64_t legacy = 0;     ///< events of the profiler before Kineto
    int64_t lostTimes = 0;  ///< device work of which neither start nor duration is known
    double kernelNs = 0;
  };
  struct Times {
    int64_t startNs = 0, endNs = 0, durationNs = 0;
  };
  struct GraphLaunch {
    int64_t correlation = 0;
    trace::GraphLaunchRow row;
  };

  std::optional<Times> timesOf(const ChromeEvent& event);
  void addSpan(const ChromeEvent& event);
  void addMetadata(const ChromeEvent& event);
  void addOperator(const ChromeEvent& event, std::string_view name, const Times& times);
  void addCall(const ChromeEvent& event, std::string_view name, const Times& times, bool isDriver);
  void addDeviceWork(const ChromeEvent& event, EventClass kind, const Times& times);
  void addKernel(const ChromeEvent& event, const Times& times);
  void addCopy(const ChromeEvent& event, const Times& times);
  void addSet(const ChromeEvent& event, const Times& times);
  void addSync(const ChromeEvent& event, const Times& times);
  uint32_t trackOf(const ChromeEvent& event);
  trace::StringId shapesOf(std::string_view list);
  trace::StringId launchOf(const ChromeEvent::Arguments& arguments);
  void rememberProcess(const ChromeEvent& event);
  void placeReplays();
  void addToNesting(const ChromeEvent& event, bool isAnnotation, std::string_view name);
  void writeCounts();

  trace::MemoryTrace& trace_;
  Import& import_;
  Counts counts_;
  EventClassifier classes_;
  CompiledSpans compiled_;
  KeptRows kept_;
  GpuTally tally_;
  ThreadNames threads_;
  SpanNesting nesting_;
  std::vector<GraphLaunch> graphLaunches_;
  std::unordered_map<std::string, uint32_t> tracks_;  ///< "PID/TID" of device work
  std::unordered_map<std::string, trace::StringId> shapes_;
  std::string scratch_, key_;
  int64_t processId_ = 0;
  std::string processName_;
};

}  // namespace jitscope::analyzer
