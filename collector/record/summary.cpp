#include "collector/record/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "collector/environment.h"
#include "trace/amount.h"
#include "trace/column_index.h"
#include "trace/process_counters.h"
#include "trace/reader.h"
#include "trace/recorded_windows.h"

namespace jitscope::collector {
namespace {

namespace files = std::filesystem;

uint64_t sizeOf(const files::path& path) {
  std::error_code error;
  const uint64_t size = files::file_size(path, error);
  return error ? 0 : size;
}

/// Counters of the process itself, which are no events.
int64_t ownCounters(const trace::TraceFile& file) {
  const std::vector<trace::CounterRow> rows = file.rows<trace::CounterRow>();
  return std::count_if(rows.begin(), rows.end(),
                       [](const auto& row) { return row.device == trace::kNoDevice; });
}

void addSteps(Summary& summary, const trace::TraceFile& file) {
  const std::optional<int64_t> steps = trace::endedSteps(file);
  if (steps) summary.mostSteps = std::max(summary.mostSteps.value_or(0), *steps);
}

void addRows(Summary& summary, const trace::TraceFile& file) {
  size_t next = 0;
  trace::forEachTable([&]<class Row>() {
    const bool isEvent =
        Row::kTable != trace::TableId::kProcess && Row::kTable != trace::TableId::kThread &&
        Row::kTable != trace::TableId::kRecordedWindow && Row::kTable != trace::TableId::kLoss;
    if (!isEvent) return;
    if (next == summary.rowCounts.size()) summary.rowCounts.emplace_back(Row::kName, 0);
    int64_t& count = summary.rowCounts[next++].second;
    count += static_cast<int64_t>(file.rowCount(Row::kTable));
    if (Row::kTable == trace::TableId::kCounter) count -= ownCounters(file);
  });
}

void addExactKernels(Summary& summary, const trace::TraceFile& file) {
  using trace::KernelRow;
  const auto read =
      file.column(trace::TableId::kKernel, trace::columnIndex<&KernelRow::bytesRead, KernelRow>());
  summary.exactKernels +=
      std::count_if(read.begin(), read.end(), [](int64_t bytes) { return bytes >= 0; });
}

void addLosses(Summary& summary, const trace::TraceFile& file) {
  for (const trace::LossRow& loss : file.rows<trace::LossRow>()) {
    if (loss.kind == trace::LossKind::kOverhead) {
      summary.overheadNs = trace::sumOfAmounts(summary.overheadNs, loss.amount);
      continue;
    }
    const std::string_view text = file.text(loss.text);
    if (text.starts_with(kUnrecordedText) || text.starts_with(kUnsampledText))
      summary.isWhyUnsampledTold = true;
    summary.lostRows = trace::sumOfAmounts(summary.lostRows, loss.amount);
    const std::string note = fmt::format("{}: {}", file.text(loss.place), file.text(loss.text));
    const auto known = std::find(summary.notes.begin(), summary.notes.end(), note);
    if (known == summary.notes.end()) summary.notes.push_back(note);
  }
}

void addGpu(Summary& summary, const trace::TraceFile& file) {
  if (file.rowCount(trace::TableId::kDevice) > 0 || file.rowCount(trace::TableId::kApi) > 0)
    summary.isGpuSeen = true;
  if (static_cast<int64_t>(file.rowCount(trace::TableId::kCounter)) > ownCounters(file))
    summary.isTrafficSampled = true;
}

void addWindows(Summary& summary, const trace::TraceFile& file) {
  const auto recorded = trace::recordedWindows(file);
  if (!recorded) return;
  summary.isWindowed = true;
  summary.windows += recorded->windows.size();
  summary.windowsNs = trace::sumOfAmounts(summary.windowsNs, recorded->totalNs);
  for (const trace::RecordedWindowRow& row : recorded->windows) {
    ++summary.windowReasons[std::string(file.text(row.reason))];
  }
}

// Why no window was reached, where that is known: of a killed process it is not.
std::string stepsText(const Summary& summary) {
  if (!summary.mostSteps || summary.unfinished > 0) return "";
  if (*summary.mostSteps == 0) {
    return " (the program ended no step: an optimizer's step, a step of torch.profiler or "
           "jitscope_step() ends one)";
  }
  return fmt::format(" (only {} step{} seen{})", *summary.mostSteps,
                     *summary.mostSteps == 1 ? " was" : "s were",
                     summary.processes == 1 ? "" : " in any process");
}

std::string windowsText(const Summary& summary) {
  if (summary.windows == 0) return ", no window was reached" + stepsText(summary);
  return fmt::format(", {} window{} of {:.3f} s{}", summary.windows,
                     summary.windows == 1 ? "" : "s", static_cast<double>(summary.windowsNs) / 1e9,
                     summary.windows == 1 ? "" : " in all");
}

std::string sizeText(uint64_t sizeBytes) {
  if (sizeBytes < 1000) return fmt::format("{} B", sizeBytes);
  if (sizeBytes < 1000'000) return fmt::format("{:.1f} kB", static_cast<double>(sizeBytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(sizeBytes) / 1e6);
}

std::string lossText(const Summary& summary) {
  std::string text = summary.lostRows        ? fmt::format("{} rows lost", summary.lostRows)
                     : summary.notes.empty() ? std::string("nothing lost")
                                             : std::string("incomplete");
  for (size_t index = 0; index < summary.notes.size(); ++index) {
    text += (index ? "; " : ": ") + summary.notes[index];
  }
  return text;
}

}  // namespace

Summary summarize(const files::path& path) {
  Summary summary;
  const auto recording = trace::Recording::open(path);
  if (!recording) {
    summary.notes.push_back(recording.error().text);
    return summary;
  }
  summary.notes = recording->problems;
  for (const trace::TraceFile& file : recording->files) {
    summary.sizeBytes += sizeOf(file.path());
    ++summary.processes;
    if (!file.isComplete()) ++summary.unfinished;
    addRows(summary, file);
    addExactKernels(summary, file);
    addWindows(summary, file);
    if (summary.isWindowed) addSteps(summary, file);
    addGpu(summary, file);
    addLosses(summary, file);
    for (const trace::ReadLoss& loss : file.losses()) {
      summary.notes.push_back(fmt::format("{}: {}", loss.place, loss.text));
    }
  }
  std::erase_if(summary.rowCounts, [](const auto& rows) { return rows.second == 0; });
  return summary;
}

std::string describeFlight(const Summary& summary, const files::path& path) {
  if (summary.windows == 0) return "flight recorder: no trigger came, so nothing was written";
  std::string reasons;
  for (const auto& [reason, count] : summary.windowReasons) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", reason, count);
  }
  return fmt::format("flight recorder wrote {} window{} into {}: {}, by {}; {}", summary.windows,
                     summary.windows == 1 ? "" : "s", path.string(), sizeText(summary.sizeBytes),
                     reasons, lossText(summary));
}

std::string describe(const Summary& summary, const files::path& path) {
  std::string text =
      fmt::format("recorded {}: {}, {} process{}", path.string(), sizeText(summary.sizeBytes),
                  summary.processes, summary.processes == 1 ? "" : "es");
  if (summary.unfinished) text += fmt::format(" ({} killed or still running)", summary.unfinished);
  if (summary.isWindowed) text += windowsText(summary);
  for (const auto& [table, count] : summary.rowCounts) text += fmt::format(", {} {}", count, table);
  if (summary.rowCounts.empty()) text += ", no events";
  if (summary.exactKernels)
    text += fmt::format(", exact bytes of {} kernels", summary.exactKernels);
  text += "; " + lossText(summary);
  if (summary.overheadNs) {
    text += fmt::format("; own time {:.1f} ms", static_cast<double>(summary.overheadNs) / 1e6);
  }
  return text;
}

std::string missingTraffic(const Summary& summary) {
  if (summary.isTrafficSampled || summary.isWhyUnsampledTold) return "";
  return std::string("; no memory traffic was sampled") +
         (summary.isGpuSeen ? "" : ": no GPU was seen in use");
}

}  // namespace jitscope::collector
