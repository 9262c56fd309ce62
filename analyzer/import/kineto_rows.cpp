#include "analyzer/import/kineto_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/import/generated_kernel.h"
#include "analyzer/import/op_depths.h"
#include "trace/column_index.h"

namespace jitscope::analyzer {
namespace {

using trace::CorrelationId;

constexpr std::string_view kOperators = "operators", kDeviceWork = "device work";

/// A number that an argument tells, or what stands for none.
int64_t numberOr(const JsonScalar& scalar, int64_t otherwise) {
  return scalar.text.empty() ? otherwise : toInteger(scalar.text).value_or(otherwise);
}

CorrelationId correlationOf(const ChromeEvent& event) {
  return CorrelationId{numberOr(event.arguments.correlation, 0)};
}

/// The id of the profiler itself joins operators and device work where a file has no correlations.
/// Negative, so that it meets none of the driver's.
CorrelationId externalOf(const ChromeEvent& event) {
  constexpr int64_t kLargest = int64_t{1} << 62;
  const int64_t id = numberOr(event.arguments.externalId, 0);
  return id > 0 && id < kLargest ? CorrelationId{-id} : CorrelationId::kNone;
}

bool has(std::string_view text, std::string_view lower, std::string_view capital) {
  return text.find(lower) != std::string_view::npos || text.find(capital) != std::string_view::npos;
}

trace::CopyKind copyKindOf(std::string_view name) {
  struct Word {
    std::string_view text;
    trace::CopyKind kind;
  };
  constexpr std::array kWords{Word{"HtoD", trace::CopyKind::kHostToDevice},
                              Word{"DtoH", trace::CopyKind::kDeviceToHost},
                              Word{"DtoD", trace::CopyKind::kDeviceToDevice},
                              Word{"HtoH", trace::CopyKind::kHostToHost},
                              Word{"PtoP", trace::CopyKind::kPeer},
                              Word{"HostToDevice", trace::CopyKind::kHostToDevice},
                              Word{"DeviceToHost", trace::CopyKind::kDeviceToHost},
                              Word{"DeviceToDevice", trace::CopyKind::kDeviceToDevice}};
  for (const Word& word : kWords) {
    if (name.find(word.text) != std::string_view::npos) return word.kind;
  }
  return trace::CopyKind::kUnknown;
}

/// What the profiler before Kineto wrote has no category; its process is a text: "CPU functions".
EventClass legacyClassOf(std::string_view process) {
  if (!process.ends_with("unctions")) return EventClass::kOther;
  if (process.starts_with("CPU ")) return EventClass::kOperator;
  return process.starts_with("CUDA ") ? EventClass::kKernel : EventClass::kOther;
}

/// "[4, 1, 1]" as "4x1x1".
std::string crossed(std::string_view list) {
  std::string result;
  for (const char byte : list) {
    if (byte == ',') result.push_back('x');
    if (byte >= '0' && byte <= '9') result.push_back(byte);
  }
  return result;
}

/// "[[4, 16], [], [16]]" as "[4, 16], [16]": inputs that are no tensors have no shape.
std::string tensorShapes(std::string_view list) {
  std::string result;
  size_t open = list.find('[');
  if (open == std::string_view::npos) return result;
  int depth = 0;
  size_t start = 0;
  for (size_t at = open + 1; at < list.size(); ++at) {
    if (list[at] == '[' && depth++ == 0) start = at;
    if (list[at] != ']' || depth-- != 1) continue;
    const std::string_view shape = list.substr(start, at - start + 1);
    if (shape.find_first_of("0123456789") == std::string_view::npos) continue;
    if (!result.empty()) result += ", ";
    result += shape;
  }
  return result;
}

constexpr std::string_view kOtherSpans = "further spans";
constexpr std::string_view kCrossingSpan =
    "ends after the call that it began in; kept as it is, viewers drop it";

}  // namespace

void KinetoRows::add(const ChromeEvent& event) {
  ++counts_.events;
  if (event.start.isString) ++counts_.textTimes;
  const char phase = event.phase.text.empty() ? '\0' : event.phase.text.front();
  switch (phase) {
    case 'X':
      addSpan(event);
      break;
    case 's':
    case 'f':
      ++counts_.flows;
      break;
    case 'M':
      addMetadata(event);
      break;
    default:
      break;
  }
}

void KinetoRows::addMetadata(const ChromeEvent& event) {
  const ChromeEvent::Arguments& arguments = event.arguments;
  if (event.name.raw == "thread_name")
    threads_.name(event.threadId, decode(arguments.name, scratch_));
  if (event.name.raw == "process_name" && processName_.empty())
    processName_ = decode(arguments.name, scratch_);
  if (event.name.raw != "jitscope_row") return;
  if (!kept_.take(arguments.table.raw, arguments.cells, trace_))
    import_.lose(InputLossKind::kSkipped, "traceEvents", "a row of jitscope that cannot be read");
}

std::optional<KinetoRows::Times> KinetoRows::timesOf(const ChromeEvent& event) {
  const std::optional<int64_t> startNs = toNanoseconds(event.start.text);
  if (!startNs) {
    import_.lose(InputLossKind::kSkipped, "traceEvents", "no time that can be read");
    return {};
  }
  // What no clock shows is bounded so that it can be added and subtracted; later it is found to be
  // out of range.
  constexpr int64_t kMost = 4'000'000'000'000'000'000;
  const int64_t duration = toNanoseconds(event.duration.text).value_or(0);
  const int64_t durationNs = std::clamp(duration, -kMost, kMost);
  const int64_t boundedNs = std::clamp(*startNs, -kMost, kMost);
  return Times{boundedNs, boundedNs + durationNs, durationNs};
}

void KinetoRows::addSpan(const ChromeEvent& event) {
  const bool isLegacy = event.category.raw.empty() && event.processId.isString;
  const EventClass kind =
      isLegacy ? legacyClassOf(event.processId.text) : classes_.classOf(event.category.raw);
  if (isLegacy && kind != EventClass::kOther) ++counts_.legacy;
  const std::string_view name = decode(event.name, scratch_);
  if (name.starts_with("ProfilerStep")) ++counts_.steps;
  const bool isAnnotation = kind == EventClass::kAnnotation;
  if (isAnnotation || event.category.raw == "python_function")
    addToNesting(event, isAnnotation, name);
  if (kind == EventClass::kOther) return;
  std::optional<Times> times = timesOf(event);
  if (!times) return;
  if (isDeviceWork(kind)) return addDeviceWork(event, kind, *times);
  if (times->endNs < times->startNs) {
    import_.lose(InputLossKind::kRepaired, kOperators, "negative duration, taken as 0");
    times->endNs = times->startNs;
  }
  if (kind == EventClass::kSync) return addSync(event, *times);
  rememberProcess(event);
  if (kind == EventClass::kRuntime || kind == EventClass::kDriver) {
    return addCall(event, name, *times, kind == EventClass::kDriver);
  }
  const CompiledSpans::Span span{times->startNs, times->endNs, threads_.numberOf(event.threadId)};
  if (!compiled_.take(name, span, trace_)) addOperator(event, name, *times);
}

void KinetoRows::addToNesting(const ChromeEvent& event, bool isAnnotation, std::string_view name) {
  const std::optional<int64_t> startNs = toNanoseconds(event.start.text);
  const std::optional<int64_t> durationNs = toNanoseconds(event.duration.text);
  int64_t endNs = 0;
  if (!startNs || !durationNs || __builtin_add_overflow(*startNs, *durationNs, &endNs)) return;
  if (endNs < *startNs) return;
  nesting_.add(threads_.numberOf(event.threadId), *startNs, endNs,
               isAnnotation ? name : std::string_view());
}

void KinetoRows::rememberProcess(const ChromeEvent& event) {
  if (processId_ == 0) processId_ = numberOr(event.processId, 0);
}

void KinetoRows::addOperator(const ChromeEvent& event, std::string_view name, const Times& times) {
  const int64_t forwardThread = numberOr(event.arguments.forwardThread, 0);
  emit(trace_, trace::OpRow{.startNs = times.startNs,
                            .endNs = times.endNs,
                            .thread = threads_.numberOf(event.threadId),
                            .name = trace_.intern(name),
                            .shapes = shapesOf(event.arguments.shapes),
                            .sequence = numberOr(event.arguments.sequence, -1),
                            .forwardThread = forwardThread,
                            .isBackward = forwardThread != 0,
                            .correlation = externalOf(event)});
}

void KinetoRows::addCall(const ChromeEvent& event, std::string_view name, const Times& times,
                         bool isDriver) {
  const CorrelationId correlation = correlationOf(event);
  emit(trace_, trace::ApiRow{.startNs = times.startNs,
                             .endNs = times.endNs,
                             .thread = threads_.numberOf(event.threadId),
                             .correlation = correlation,
                             .name = trace_.intern(name),
                             .isDriver = isDriver});
  if (!event.arguments.correlation.text.empty()) {
    tally_.addLaunch(static_cast<int64_t>(correlation), times.startNs);
  }
  if (name.find("GraphLaunch") == std::string_view::npos) return;
  ++counts_.graphLaunches;
  graphLaunches_.push_back({static_cast<int64_t>(correlation), {}});
}

void KinetoRows::addDeviceWork(const ChromeEvent& event, EventClass kind, const Times& times) {
  GpuTally::Work work{times.startNs, times.endNs, {}, trackOf(event)};
  if (!event.arguments.correlation.text.empty()) {
    work.correlation = static_cast<int64_t>(correlationOf(event));
  }
  tally_.addWork(work);
  if (times.startNs == 0) ++counts_.atZero;
  Times row = times;
  if (times.endNs < times.startNs) {
    ++counts_.negative;
    import_.lose(InputLossKind::kRepaired, kDeviceWork, "negative duration, taken as 0");
    row.endNs = row.startNs;
  }
  if (kind == EventClass::kKernel) {
    ++counts_.kernels;
    counts_.kernelNs += static_cast<double>(times.durationNs);
    const std::string_view name = decode(event.name, scratch_);
    if (has(name, "triton", "Triton")) ++counts_.triton;
    if (has(name, "nccl", "NCCL")) ++counts_.nccl;
  }
  // The profiler could not get the times of these; drawn, they would stretch the run to the epoch.
  if (times.startNs == 0 && times.endNs == 0) {
    ++counts_.lostTimes;
    import_.lose(InputLossKind::kSkipped, kDeviceWork, "lost time stamps (ts 0, dur 0)");
    return;
  }
  if (kind == EventClass::kKernel) return addKernel(event, row);
  if (kind == EventClass::kCopy) return addCopy(event, row);
  addSet(event, row);
}

uint32_t KinetoRows::trackOf(const ChromeEvent& event) {
  key_.assign(event.processId.text).append("/").append(event.threadId.text);
  return tracks_.try_emplace(key_, static_cast<uint32_t>(tracks_.size())).first->second;
}

void KinetoRows::addKernel(const ChromeEvent& event, const Times& times) {
  const ChromeEvent::Arguments& arguments = event.arguments;
  const std::string_view name = decode(event.name, scratch_);
  emit(trace_,
       trace::KernelRow{
           .startNs = times.startNs,
           .endNs = times.endNs,
           .device = numberOr(arguments.device, numberOr(event.processId, 0)),
           .context = numberOr(arguments.context, 0),
           .stream = numberOr(arguments.stream, numberOr(event.threadId, 0)),
           .correlation =
               arguments.correlation.text.empty() ? externalOf(event) : correlationOf(event),
           .name = trace_.intern(name),
           .origin = isGeneratedKernel(name) ? trace::Origin::kCompiled : trace::Origin::kUnknown,
           .launch = launchOf(arguments),
           .graphNode = numberOr(arguments.graphNode, 0)});
}

void KinetoRows::addCopy(const ChromeEvent& event, const Times& times) {
  const ChromeEvent::Arguments& arguments = event.arguments;
  emit(trace_, trace::MemcpyRow{.startNs = times.startNs,
                                .endNs = times.endNs,
                                .device = numberOr(arguments.device, numberOr(event.processId, 0)),
                                .context = numberOr(arguments.context, 0),
                                .stream = numberOr(arguments.stream, numberOr(event.threadId, 0)),
                                .correlation = correlationOf(event),
                                .kind = copyKindOf(event.name.raw),
                                .bytes = numberOr(arguments.bytes, 0)});
  ++counts_.copies;
}

void KinetoRows::addSet(const ChromeEvent& event, const Times& times) {
  const ChromeEvent::Arguments& arguments = event.arguments;
  emit(trace_, trace::MemsetRow{.startNs = times.startNs,
                                .endNs = times.endNs,
                                .device = numberOr(arguments.device, numberOr(event.processId, 0)),
                                .context = numberOr(arguments.context, 0),
                                .stream = numberOr(arguments.stream, numberOr(event.threadId, 0)),
                                .correlation = correlationOf(event),
                                .bytes = numberOr(arguments.bytes, 0)});
  ++counts_.sets;
}

void KinetoRows::addSync(const ChromeEvent& event, const Times& times) {
  const ChromeEvent::Arguments& arguments = event.arguments;
  const bool hasKind = !arguments.syncKind.raw.empty();
  emit(trace_,
       trace::SyncRow{.startNs = times.startNs,
                      .endNs = times.endNs,
                      .device = numberOr(arguments.device, numberOr(event.processId, 0)),
                      .context = numberOr(arguments.context, 0),
                      .stream = numberOr(arguments.stream, 0),
                      .correlation = correlationOf(event),
                      .kind = trace_.intern(hasKind ? arguments.syncKind.raw : event.name.raw)});
}

trace::StringId KinetoRows::shapesOf(std::string_view list) {
  if (list.empty()) return {};
  key_.assign(list);
  const auto known = shapes_.find(key_);
  if (known != shapes_.end()) return known->second;
  const trace::StringId shapes = trace_.intern(tensorShapes(list));
  // Bounded: a program whose every call has another shape would make it grow with the file.
  constexpr size_t kMostKept = 1 << 16;
  if (shapes_.size() < kMostKept) shapes_.emplace(key_, shapes);
  return shapes;
}

trace::StringId KinetoRows::launchOf(const ChromeEvent::Arguments& arguments) {
  if (arguments.grid.empty() || arguments.block.empty()) return {};
  std::string launch =
      fmt::format("grid {} block {}", crossed(arguments.grid), crossed(arguments.block));
  if (!arguments.sharedMemory.text.empty()) {
    launch += fmt::format(" shared {}", arguments.sharedMemory.text);
  }
  if (!arguments.registers.text.empty()) {
    launch += fmt::format(" registers {}", arguments.registers.text);
  }
  return trace_.intern(launch);
}

/// Kernels of a graph share the correlation of its launch. Others of the same region, such as
/// copies of its inputs, are no replay.
void KinetoRows::placeReplays() {
  if (graphLaunches_.empty()) return;
  using trace::KernelRow;
  std::unordered_map<int64_t, GraphLaunch*> launches;
  for (GraphLaunch& launch : graphLaunches_) launches.try_emplace(launch.correlation, &launch);
  const auto cellsOf = [&](size_t column) { return trace_.cells(KernelRow::kTable, column); };
  const auto correlations = cellsOf(trace::columnIndex<&KernelRow::correlation, KernelRow>());
  const auto origins = cellsOf(trace::columnIndex<&KernelRow::origin, KernelRow>());
  const auto starts = cellsOf(trace::columnIndex<&KernelRow::startNs, KernelRow>());
  const auto ends = cellsOf(trace::columnIndex<&KernelRow::endNs, KernelRow>());
  const auto devices = cellsOf(trace::columnIndex<&KernelRow::device, KernelRow>());
  const auto streams = cellsOf(trace::columnIndex<&KernelRow::stream, KernelRow>());
  for (size_t i = 0; i < correlations.size(); ++i) {
    const auto launch = correlations[i] == 0 ? launches.end() : launches.find(correlations[i]);
    if (launch == launches.end()) continue;
    origins[i] = toCell(trace::Origin::kReplay);
    trace::GraphLaunchRow& row = launch->second->row;
    const bool isFirst = row.nodeCount < 0;
    row.startNs = isFirst ? starts[i] : std::min(row.startNs, starts[i]);
    row.endNs = isFirst ? ends[i] : std::max(row.endNs, ends[i]);
    row.nodeCount = isFirst ? 1 : row.nodeCount + 1;
    if (isFirst) row.device = devices[i], row.stream = streams[i];
  }
  for (GraphLaunch& launch : graphLaunches_) {
    launch.row.correlation = CorrelationId{launch.correlation};
    const bool isMade = launch.row.nodeCount >= 0 && !kept_.has(trace::TableId::kGraphLaunch);
    if (isMade) emit(trace_, launch.row);
  }
}

std::string_view KinetoRows::programName() const {
  constexpr std::string_view kPython = "python";
  const bool isPython = counts_.steps > 0 || compiled_.regionCount() > 0 ||
                        processName_.starts_with(kPython) || processName_.ends_with(".py") ||
                        processName_.ends_with(".par") || processName_ == "pt_main_thread";
  // What is no file's name stands for something else: a rank, a node.
  const bool isProgram =
      !processName_.empty() && processName_.find_first_of(" :") == std::string::npos;
  return isProgram && !isPython ? std::string_view(processName_) : kPython;
}

void KinetoRows::finish() {
  constexpr size_t kMostNamed = 32;
  const std::vector<std::string> crossing = nesting_.crossing();
  for (size_t i = 0; i < crossing.size(); ++i) {
    import_.lose(InputLossKind::kRepaired,
                 i < kMostNamed ? std::string_view(crossing[i]) : kOtherSpans, kCrossingSpan);
  }
  threads_.write(trace_);
  placeReplays();
  compiled_.write(trace_, !kept_.has(trace::TableId::kCall));
  fillDepths(trace_);
  writeCounts();
}

void KinetoRows::writeCounts() {
  import_.count("ev", counts_.events);
  import_.count("kern", counts_.kernels);
  constexpr double kNsPerUs = 1000;
  import_.measure("kern_us", counts_.kernelNs / kNsPerUs);
  import_.count("gpu_memcpy", counts_.copies);
  import_.count("gpu_memset", counts_.sets);
  import_.count("gpu_tracks", static_cast<int64_t>(tracks_.size()));
  import_.count("flow", counts_.flows);
  import_.count("steps", counts_.steps);
  import_.count("compiled_regions", compiled_.regionCount());
  import_.count("triton", counts_.triton);
  import_.count("nccl", counts_.nccl);
  import_.count("graphlaunch", counts_.graphLaunches);
  tally_.count(import_);
  import_.count("neg_dur", counts_.negative);
  import_.count("ts0", counts_.atZero);
  import_.count("str_ts", counts_.textTimes);
  import_.count("lost_times", counts_.lostTimes);
  if (counts_.legacy > 0) import_.count("legacy_events", counts_.legacy);
}

}  // namespace jitscope::analyzer
