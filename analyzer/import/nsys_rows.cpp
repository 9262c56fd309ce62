#include "analyzer/import/nsys_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/import/generated_kernel.h"
#include "analyzer/import/nsys_wording.h"
#include "analyzer/import/op_depths.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

using trace::CorrelationId;

/// Ids of processes and threads are packed: bits 24 to 47 are the process, 0 to 23 the thread.
constexpr int64_t kIdUnit = 0x1000000;

int64_t processIdOf(int64_t globalId) { return globalId / kIdUnit % kIdUnit; }
int64_t threadIdOf(int64_t globalId) { return globalId % kIdUnit; }

}  // namespace

template <class Take>
trace::Result<void> NsysRows::forEachRow(std::string_view table,
                                         const std::vector<std::string>& columns, Take take) {
  std::optional<trace::Result<Statement>> rows = tables_.select(table, columns);
  if (!rows) return {};
  if (!*rows) return rows->error().within(std::string(table));
  for (int64_t left = tables_.mostRows();; --left) {
    const trace::Result<bool> stepped = (*rows)->step();
    if (!stepped) return stepped.error().within(std::string(table));
    if (!*stepped) return {};
    if (left == 0) {
      return trace::Error{
          fmt::format("{}: more than {} rows, for which the file has no room: it is damaged", table,
                      tables_.mostRows())};
    }
    take(**rows);
  }
}

trace::Result<bool> NsysRows::hasColumns(std::string_view table,
                                         const std::vector<std::string>& columns) {
  if (!tables_.has(table)) return false;
  const trace::Result<std::vector<std::string>> absent = tables_.lacking(table, columns);
  if (!absent) return absent.error().within(std::string(table));
  for (const std::string& column : *absent) {
    import_.lose(InputLossKind::kAbsent, table,
                 fmt::format("no column {}, so none of its rows is taken", column));
  }
  return absent->empty();
}

bool NsysRows::hasTimes(std::string_view table, const Statement& row) {
  constexpr auto kInteger = Statement::CellType::kInteger;
  if (row.type(0) == kInteger && row.type(1) == kInteger) return true;
  import_.lose(InputLossKind::kSkipped, table, "start or end is no integer");
  return false;
}

template <class Take>
trace::Result<void> NsysRows::forEachSpan(std::string_view table,
                                          const std::vector<std::string>& columns, Take take) {
  const trace::Result<bool> isTold = hasColumns(table, {"start", "end"});
  if (!isTold) return isTold.error();
  if (!*isTold) return {};
  return forEachRow(table, columns, [&](const Statement& row) {
    if (hasTimes(table, row)) take(row);
  });
}

trace::Result<void> NsysRows::read() {
  for (const auto step : {&NsysRows::readTexts, &NsysRows::readStart}) {
    if (trace::Result<void> done = (this->*step)(); !done) return done;
  }
  for (const char* table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"}) {
    if (trace::Result<void> done = readCalls(table); !done) return done;
  }
  for (const char* table :
       {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"}) {
    if (trace::Result<void> done = readKernels(table); !done) return done;
  }
  for (const auto step : {&NsysRows::readCopies, &NsysRows::readSets, &NsysRows::readWaits,
                          &NsysRows::readGraphs, &NsysRows::readRanges, &NsysRows::readDevices,
                          &NsysRows::readThreadNames, &NsysRows::readProcesses}) {
    if (trace::Result<void> done = (this->*step)(); !done) return done;
  }
  for (auto& [id, process] : processes_) fillDepths(*process.trace);
  count();
  return {};
}

NsysRows::Process& NsysRows::processOf(int64_t globalId) {
  // An export that names more processes is hostile; what is beyond goes to the first.
  constexpr size_t kMostProcesses = 1024;
  const int64_t id = processIdOf(globalId);
  if (processes_.size() >= kMostProcesses && !processes_.contains(id))
    return processes_.begin()->second;
  Process& process = processes_[id];
  if (process.trace == nullptr) process.trace = &import_.addProcess();
  return process;
}

/// A hostile file may say anything; the sum must fit.
int64_t NsysRows::timeOf(int64_t sessionNs) const {
  return startNs_ + std::clamp<int64_t>(sessionNs, 0, kLatestNs - startNs_);
}

std::string_view NsysRows::textOf(int64_t id) const {
  const auto found = texts_.find(id);
  return found == texts_.end() ? std::string_view() : found->second;
}

trace::Result<void> NsysRows::readTexts() {
  // UTF-16 in the file can become half as long again; longer than that, pages are read twice.
  int64_t left = 2 * tables_.fileBytes();
  const auto take = [&](const Statement& row) {
    const std::string_view text = row.text(1);
    left -= static_cast<int64_t>(text.size());
    if (left >= 0)
      texts_[row.integer(0)] = text;
    else
      import_.lose(InputLossKind::kSkipped, "texts", "more bytes than the file has");
  };
  if (trace::Result<void> done = forEachRow("StringIds", {"id", "value"}, take); !done) return done;
  return forEachRow("StringTable", {"_id_", "value"}, take);
}

trace::Result<void> NsysRows::readStart() {
  return forEachRow("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const Statement& row) {
    if (isValidTime(row.integer(0))) startNs_ = row.integer(0);
  });
}

trace::Result<void> NsysRows::readCalls(std::string_view table) {
  return forEachSpan(table, {"start", "end", "globalTid", "correlationId", "nameId", "returnValue"},
                     [&](const Statement& row) {
                       Process& process = processOf(row.integer(2));
                       const int64_t thread = threadIdOf(row.integer(2));
                       process.threads.insert(thread);
                       calls_.insert(row.integer(3));
                       const std::string_view name = withoutVersion(textOf(row.integer(4)));
                       emit(*process.trace,
                            trace::ApiRow{.startNs = timeOf(row.integer(0)),
                                          .endNs = timeOf(row.integer(1)),
                                          .thread = thread,
                                          .correlation = CorrelationId{row.integer(3)},
                                          .name = process.trace->intern(name),
                                          .status = row.integer(5),
                                          .isDriver = !name.starts_with("cuda")});
                     });
}

trace::Result<void> NsysRows::readKernels(std::string_view table) {
  const std::vector<std::string> columns{"start",
                                         "end",
                                         "globalPid",
                                         "deviceId",
                                         "contextId",
                                         "streamId",
                                         "correlationId",
                                         "demangledName",
                                         "shortName",
                                         "name",
                                         "graphNodeId",
                                         "gridX",
                                         "gridY",
                                         "gridZ",
                                         "blockX",
                                         "blockY",
                                         "blockZ",
                                         "staticSharedMemory",
                                         "dynamicSharedMemory",
                                         "registersPerThread"};
  return forEachSpan(table, columns, [&](const Statement& row) {
    Process& process = processOf(row.integer(2));
    const int64_t startNs = timeOf(row.integer(0)), endNs = timeOf(row.integer(1));
    ++kernels_;
    kernelNs_ = sumOf(kernelNs_, tamed(endNs - startNs));
    if (!calls_.contains(row.integer(6))) ++unmatched_;
    std::string_view name;
    for (const size_t column : {7, 8, 9}) {
      if (name.empty() && !row.isNull(column)) name = textOf(row.integer(column));
    }
    const std::string launch =
        fmt::format("grid {}x{}x{} block {}x{}x{} shared {}+{} registers {}", row.integer(11),
                    row.integer(12), row.integer(13), row.integer(14), row.integer(15),
                    row.integer(16), row.integer(17), row.integer(18), row.integer(19));
    trace::Origin origin = trace::Origin::kUnknown;
    if (isGeneratedKernel(name)) origin = trace::Origin::kCompiled;
    if (row.integer(10) != 0) origin = trace::Origin::kReplay;
    emit(*process.trace, trace::KernelRow{.startNs = startNs,
                                          .endNs = endNs,
                                          .device = row.integer(3),
                                          .context = row.integer(4),
                                          .stream = row.integer(5),
                                          .correlation = CorrelationId{row.integer(6)},
                                          .name = process.trace->intern(name),
                                          .origin = origin,
                                          .launch = process.trace->intern(launch),
                                          .graphNode = row.integer(10)});
  });
}

trace::Result<void> NsysRows::readCopies() {
  return forEachSpan("CUPTI_ACTIVITY_KIND_MEMCPY",
                     {"start", "end", "globalPid", "deviceId", "contextId", "streamId",
                      "correlationId", "copyKind", "bytes", "dstDeviceId"},
                     [&](const Statement& row) {
                       Process& process = processOf(row.integer(2));
                       emit(*process.trace,
                            trace::MemcpyRow{.startNs = timeOf(row.integer(0)),
                                             .endNs = timeOf(row.integer(1)),
                                             .device = row.integer(3),
                                             .context = row.integer(4),
                                             .stream = row.integer(5),
                                             .correlation = CorrelationId{row.integer(6)},
                                             .kind = copyKindOf(row.integer(7)),
                                             .bytes = row.integer(8),
                                             .peerDevice = row.isNull(9) ? -1 : row.integer(9)});
                     });
}

trace::Result<void> NsysRows::readSets() {
  return forEachSpan("CUPTI_ACTIVITY_KIND_MEMSET",
                     {"start", "end", "globalPid", "deviceId", "contextId", "streamId",
                      "correlationId", "bytes", "value"},
                     [&](const Statement& row) {
                       Process& process = processOf(row.integer(2));
                       emit(*process.trace,
                            trace::MemsetRow{.startNs = timeOf(row.integer(0)),
                                             .endNs = timeOf(row.integer(1)),
                                             .device = row.integer(3),
                                             .context = row.integer(4),
                                             .stream = row.integer(5),
                                             .correlation = CorrelationId{row.integer(6)},
                                             .bytes = row.integer(7),
                                             .value = row.integer(8)});
                     });
}

trace::Result<void> NsysRows::readWaits() {
  return forEachSpan("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                     {"start", "end", "globalPid", "deviceId", "contextId", "streamId",
                      "correlationId", "syncType"},
                     [&](const Statement& row) {
                       Process& process = processOf(row.integer(2));
                       const std::string_view kind = waitName(row.integer(7));
                       emit(*process.trace,
                            trace::SyncRow{.startNs = timeOf(row.integer(0)),
                                           .endNs = timeOf(row.integer(1)),
                                           .device = row.integer(3),
                                           .context = row.integer(4),
                                           .stream = row.integer(5),
                                           .correlation = CorrelationId{row.integer(6)},
                                           .kind = process.trace->intern(kind)});
                     });
}

trace::Result<void> NsysRows::readGraphs() {
  return forEachSpan("CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                     {"start", "end", "globalPid", "deviceId", "contextId", "streamId",
                      "correlationId", "graphId"},
                     [&](const Statement& row) {
                       Process& process = processOf(row.integer(2));
                       emit(*process.trace,
                            trace::GraphLaunchRow{.startNs = timeOf(row.integer(0)),
                                                  .endNs = timeOf(row.integer(1)),
                                                  .device = row.integer(3),
                                                  .context = row.integer(4),
                                                  .stream = row.integer(5),
                                                  .correlation = CorrelationId{row.integer(6)},
                                                  .graph = row.integer(7)});
                     });
}

trace::Result<void> NsysRows::readRanges() {
  const std::string table = tables_.withPrefix("NVTX_EVENTS");
  if (table.empty()) {
    import_.lose(InputLossKind::kAbsent, "NVTX_EVENTS",
                 "no table of NVTX ranges, so no operator is known: record with --trace=cuda,nvtx");
  }
  const trace::Result<bool> isTold = hasColumns(table, {"start", "end", "eventType"});
  if (!isTold) return isTold.error();
  if (!*isTold) return {};
  return forEachRow(table, {"start", "end", "globalTid", "eventType", "text", "textId"},
                    [&](const Statement& row) {
                      constexpr int64_t kPushPopRange = 59;  // others need not nest
                      if (row.integer(3) != kPushPopRange) return;
                      // Without an end, it was open when the recording ended.
                      if (row.isNull(1) || !hasTimes(table, row)) return;
                      Process& process = processOf(row.integer(2));
                      const int64_t thread = threadIdOf(row.integer(2));
                      process.threads.insert(thread);
                      const NvtxRange range =
                          nvtxRangeOf(row.isNull(4) ? textOf(row.integer(5)) : row.text(4));
                      emit(*process.trace, trace::OpRow{.startNs = timeOf(row.integer(0)),
                                                        .endNs = timeOf(row.integer(1)),
                                                        .thread = thread,
                                                        .name = process.trace->intern(range.name),
                                                        .sequence = range.sequence});
                    });
}

trace::Result<void> NsysRows::readDevices() {
  return forEachRow("TARGET_INFO_GPU",
                    {"id", "name", "uuid", "totalMemory", "smCount", "computeMajor", "computeMinor",
                     "memoryBandwidth"},
                    [&](const Statement& row) {
                      for (auto& [id, process] : processes_) {
                        emit(*process.trace,
                             trace::DeviceRow{.device = row.integer(0),
                                              .name = process.trace->intern(row.text(1)),
                                              .uuid = process.trace->intern(row.text(2)),
                                              .memoryBytes = row.integer(3),
                                              .multiprocessors = row.integer(4),
                                              .computeMajor = row.integer(5),
                                              .computeMinor = row.integer(6),
                                              .peakBytesPerSecond = row.real(7)});
                      }
                    });
}

trace::Result<void> NsysRows::readThreadNames() {
  return forEachRow("ThreadNames", {"globalTid", "nameId"}, [&](const Statement& row) {
    const auto process = processes_.find(processIdOf(row.integer(0)));
    const int64_t thread = threadIdOf(row.integer(0));
    if (process == processes_.end() || !process->second.threads.contains(thread)) return;
    trace::MemoryTrace& trace = *process->second.trace;
    emit(trace, trace::ThreadRow{.thread = thread, .name = trace.intern(textOf(row.integer(1)))});
  });
}

trace::Result<void> NsysRows::readProcesses() {
  std::map<int64_t, std::string> names;
  trace::Result<void> done =
      forEachRow("PROCESSES", {"globalPid", "pid", "name"},
                 [&](const Statement& row) { names[processIdOf(row.integer(0))] = row.text(2); });
  for (auto& [id, process] : processes_) {
    const trace::StringId name = process.trace->intern(names[id]);
    emit(*process.trace, trace::ProcessRow{.pid = id, .commandLine = name, .executable = name});
  }
  return done;
}

void NsysRows::count() {
  import_.count("tables", static_cast<int64_t>(tables_.names().size()));
  import_.count("kern", kernels_);
  import_.count("kern_ns", kernelNs_);
  import_.count("kern_no_runtime_corr", unmatched_);
  int64_t rows = 0;
  for (const std::string& name : tables_.names()) {
    // Tables that share their pages are told once, for all together have no more rows than that.
    if (rows > tables_.mostRows()) {
      import_.lose(InputLossKind::kSkipped, "tables", "more rows than the file has room for");
      return;
    }
    const bool isEvents = name.starts_with("CUPTI_ACTIVITY_KIND_") ||
                          name.starts_with("NVTX_EVENTS") || name == "CUDA_GRAPH_EVENTS" ||
                          name == "OSRT_API";
    if (!isEvents) continue;
    const int64_t amount = tables_.rowCount(name);
    rows += amount;
    import_.count(name, amount);
  }
}

}  // namespace jitscope::analyzer
