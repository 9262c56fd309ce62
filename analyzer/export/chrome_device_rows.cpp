#include "analyzer/export/chrome_device_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

using trace::CopyKind;

std::string_view copyName(CopyKind kind) {
  switch (kind) {
    case CopyKind::kHostToDevice:
      return "\"Memcpy HtoD (Host -> Device)\"";
    case CopyKind::kDeviceToHost:
      return "\"Memcpy DtoH (Device -> Host)\"";
    case CopyKind::kDeviceToDevice:
      return "\"Memcpy DtoD (Device -> Device)\"";
    case CopyKind::kHostToHost:
      return "\"Memcpy HtoH (Host -> Host)\"";
    case CopyKind::kPeer:
      return "\"Memcpy PtoP (Device -> Device)\"";
    case CopyKind::kUnknown:
      break;
  }
  return "\"Memcpy\"";
}

/// The number behind a word of a kernel's launch, "grid 4x1x1 block 256x1x1 registers 32"; empty
/// when it is not told.
std::string_view launchPart(std::string_view launch, std::string_view word) {
  const size_t at = launch.find(word);
  if (at == std::string_view::npos || at + word.size() + 1 >= launch.size()) return {};
  const std::string_view rest = launch.substr(at + word.size() + 1);
  return rest.substr(0, rest.find(' '));
}

/// "4x1x1" as "[4, 1, 1]".
std::string listOf(std::string_view crossed) {
  std::string list = "[";
  for (const char letter : crossed) {
    if (letter == 'x')
      list += ", ";
    else
      list += letter;
  }
  return list + "]";
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool isCrossed(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789x") == std::string_view::npos;
}

/// Writes the rows of one process.
class DeviceRows {
 public:
  DeviceRows(const Run& run, ProcessIndex index, ChromeWriter& writer)
      : run_(run),
        index_(index),
        process_(run.processes[index]),
        writer_(writer),
        pid_(writer.processId(index)) {}

  void write() {
    for (size_t i = 0; i < process_.kernels.size(); ++i) writeKernel(process_.kernels.row(i));
    for (const trace::MemcpyRow& row : process_.rows<trace::MemcpyRow>())
      writeWork(row, "gpu_memcpy", std::string(copyName(row.kind)),
                fmt::format("\"bytes\": {}", row.bytes));
    for (const trace::MemsetRow& row : process_.rows<trace::MemsetRow>())
      writeWork(row, "gpu_memset", "\"Memset (Device)\"", fmt::format("\"bytes\": {}", row.bytes));
    for (const trace::SyncRow& row : process_.rows<trace::SyncRow>()) writeSync(row);
    for (const trace::ApiRow& row : process_.rows<trace::ApiRow>()) writeCall(row);
    for (const trace::CounterRow& row : process_.rows<trace::CounterRow>()) writeCounter(row);
  }

 private:
  /// Kernels, copies and sets: rows of a stream.
  void writeWork(const auto& row, std::string_view category, std::string name,
                 const std::string& extra) {
    if (!isValidSpan(row.startNs, row.endNs)) return;
    ChromeSpan span{category,   std::move(name), writer_.deviceTrack(index_, row.device),
                    row.stream, row.startNs,     row.endNs,
                    {}};
    span.arguments = fmt::format("\"device\": {}, \"context\": {}, \"stream\": {}", row.device,
                                 row.context, row.stream);
    const std::string correlation = writer_.correlationArguments(index_, row.correlation);
    for (const std::string& part : {correlation, extra}) {
      if (!part.empty()) span.arguments += ", " + part;
    }
    writer_.span(span);
    if (row.correlation <= trace::CorrelationId::kNone) return;
    // A launch of a graph starts many kernels: one arrow is enough to see it.
    if (!started_.insert(row.correlation).second) return;
    writer_.arrow(false, span, writer_.correlation(index_, row.correlation));
  }

  void writeKernel(const trace::KernelRow& row) {
    const std::string_view launch = run_.text(row.launch);
    std::string extra;
    const auto add = [&](const std::string& part) { extra += (extra.empty() ? "" : ", ") + part; };
    const std::string_view grid = launchPart(launch, "grid"), block = launchPart(launch, "block");
    const std::string_view registers = launchPart(launch, "registers");
    if (isCrossed(grid)) add(fmt::format("\"grid\": {}", listOf(grid)));
    if (isCrossed(block)) add(fmt::format("\"block\": {}", listOf(block)));
    if (isNumber(registers)) add(fmt::format("\"registers per thread\": {}", registers));
    if (row.graphNode != 0) add(fmt::format("\"graph node id\": {}", row.graphNode));
    if (row.modelledBytes >= 0) add(fmt::format("\"modelled bytes\": {}", row.modelledBytes));
    if (row.bytesRead >= 0) add(fmt::format("\"bytes read\": {}", row.bytesRead));
    if (row.bytesWritten >= 0) add(fmt::format("\"bytes written\": {}", row.bytesWritten));
    writeWork(row, "kernel", writer_.text(row.name), extra);
  }

  void writeSync(const trace::SyncRow& row) {
    if (!isValidSpan(row.startNs, row.endNs)) return;
    ChromeSpan span{"cuda_sync",
                    writer_.text(row.kind),
                    writer_.deviceTrack(index_, row.device),
                    row.stream,
                    row.startNs,
                    row.endNs,
                    {}};
    span.arguments =
        fmt::format("\"stream\": {}, \"cuda_sync_kind\": {}", row.stream, writer_.text(row.kind));
    const std::string correlation = writer_.correlationArguments(index_, row.correlation);
    if (!correlation.empty()) span.arguments += ", " + correlation;
    writer_.span(span);
  }

  void writeCall(const trace::ApiRow& row) {
    if (!isValidSpan(row.startNs, row.endNs)) return;
    const ChromeSpan span{row.isDriver != 0 ? "cuda_driver" : "cuda_runtime",
                          writer_.text(row.name),
                          pid_,
                          row.thread,
                          row.startNs,
                          row.endNs,
                          writer_.correlationArguments(index_, row.correlation)};
    writer_.span(span);
    if (started_.erase(row.correlation) > 0)
      writer_.arrow(true, span, writer_.correlation(index_, row.correlation));
  }

  void writeCounter(const trace::CounterRow& row) {
    if (!isValidTime(row.startNs)) return;
    writer_.event(fmt::format(
        "\"ph\": \"C\", \"name\": {}, \"pid\": {}, \"ts\": {}, \"args\": {{\"value\": {}}}",
        writer_.text(row.metric), writer_.deviceTrack(index_, row.device),
        writer_.time(row.startNs),
        std::isfinite(row.value) ? fmt::format("{}", row.value) : "null"));
  }

  const Run& run_;
  ProcessIndex index_;
  const Process& process_;
  ChromeWriter& writer_;
  int64_t pid_;
  std::unordered_set<trace::CorrelationId> started_;
};

}  // namespace

void writeDeviceRows(const Run& run, ProcessIndex process, ChromeWriter& writer) {
  DeviceRows(run, process, writer).write();
}

}  // namespace jitscope::analyzer
