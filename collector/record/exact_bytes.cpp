#include "collector/record/exact_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "collector/environment.h"
#include "collector/record/launch_match.h"
#include "collector/record/say.h"
#include "trace/amendment.h"
#include "trace/column_index.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

using trace::KernelRow;
using trace::TraceFile;

std::vector<TraceFile> tracesIn(const std::filesystem::path& folder) {
  const auto recording = trace::Recording::open(folder);
  return recording ? recording->files : std::vector<TraceFile>{};
}

/// Kernels of one device that can be counted, in the order in which they were launched.
struct LaunchedKernels {
  std::vector<size_t> rows;
  std::vector<uint32_t> numbers;  ///< of name, grid and block
};

/// Numbers for what a launch is recognised by, the same in both runs.
class LaunchNumbers {
 public:
  std::map<int64_t, LaunchedKernels> launches(const TraceFile& file,
                                              const std::vector<KernelRow>& kernels) {
    std::vector<size_t> order(kernels.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return kernels[a].correlation < kernels[b].correlation;
    });
    std::map<int64_t, LaunchedKernels> byDevice;
    for (const size_t row : order) {
      if (kernels[row].graphNode != 0) continue;
      LaunchedKernels& launched = byDevice[kernels[row].device];
      launched.rows.push_back(row);
      launched.numbers.push_back(numberOf(file, kernels[row]));
    }
    return byDevice;
  }

 private:
  uint32_t numberOf(const TraceFile& file, const KernelRow& kernel) {
    // What follows is not known before a launch: registers, memory that all its threads share.
    const std::string_view launch = file.text(kernel.launch);
    std::string key =
        fmt::format("{}\n{}", file.text(kernel.name), launch.substr(0, launch.find(" shared")));
    return numbers_.try_emplace(std::move(key), static_cast<uint32_t>(numbers_.size()))
        .first->second;
  }

  std::map<std::string, uint32_t> numbers_;
};

/// What became of the kernels of one trace.
struct Outcome {
  int64_t kernels = 0, inGraphs = 0, notFound = 0, notCounted = 0;

  int64_t without() const { return inGraphs + notFound + notCounted; }
};

/// Why the other run could not count; empty where it could.
std::string reasonIn(const TraceFile& counted) {
  for (const trace::LossRow& loss : counted.rows<trace::LossRow>()) {
    const std::string_view text = counted.text(loss.text);
    if (text.starts_with(kUncountedText))
      return std::string(text.substr(std::string_view(kUncountedText).size()));
    if (text.starts_with(kUnrecordedText))
      return std::string(text.substr(std::string_view(kUnrecordedText).size()));
  }
  return {};
}

std::string describe(const Outcome& outcome, const std::string& reason, const std::string& ending) {
  std::string parts;
  const auto add = [&](int64_t count, const std::string& what) {
    if (count > 0) parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, what);
  };
  add(outcome.inGraphs, "in CUDA graphs");
  add(outcome.notFound, "not launched when the program ran again");
  add(outcome.notCounted, "that were not told apart when they ran again");
  std::string text = fmt::format("no exact bytes of {} of {} kernels: {}", outcome.without(),
                                 outcome.kernels, parts);
  if (!reason.empty()) text += "; " + reason;
  if (!ending.empty()) text += "; " + ending;
  return text;
}

/// The bytes of each kernel of a trace.
struct ExactColumns {
  std::vector<int64_t> read, written;
  Outcome outcome;
};

ExactColumns columnsOf(const TraceFile& first, const TraceFile& second) {
  const auto kernels = first.rows<KernelRow>();
  const auto counted = second.rows<KernelRow>();
  LaunchNumbers numbers;
  const auto launched = numbers.launches(first, kernels);
  const auto again = numbers.launches(second, counted);
  ExactColumns columns{
      std::vector<int64_t>(kernels.size(), -1), std::vector<int64_t>(kernels.size(), -1), {}};
  columns.outcome.kernels = static_cast<int64_t>(kernels.size());
  columns.outcome.inGraphs = std::count_if(kernels.begin(), kernels.end(),
                                           [](const KernelRow& row) { return row.graphNode != 0; });
  for (const auto& [device, mine] : launched) {
    const auto found = again.find(device);
    const LaunchedKernels theirs = found == again.end() ? LaunchedKernels{} : found->second;
    const std::vector<size_t> matches = matchLaunches(mine.numbers, theirs.numbers);
    for (size_t i = 0; i < matches.size(); ++i) {
      if (matches[i] == kNoLaunch) {
        ++columns.outcome.notFound;
        continue;
      }
      const KernelRow& match = counted[theirs.rows[matches[i]]];
      columns.read[mine.rows[i]] = match.bytesRead;
      columns.written[mine.rows[i]] = match.bytesWritten;
      if (match.bytesRead < 0 || match.bytesWritten < 0) ++columns.outcome.notCounted;
    }
  }
  return columns;
}

/// What a process is found by in another run: what it runs, and how many of the recorded processes
/// it descends from. A forked child has all else from its parent.
using ProcessKey = std::tuple<std::string, std::string, int64_t, size_t>;

trace::ProcessRow processOf(const TraceFile& file) {
  const auto rows = file.rows<trace::ProcessRow>();
  return rows.empty() ? trace::ProcessRow{} : rows[0];
}

/// By process id: that of its parent.
using Parents = std::map<int64_t, int64_t>;

size_t ancestorsOf(int64_t pid, const Parents& parents) {
  size_t count = 0;
  for (auto at = parents.find(pid); at != parents.end() && count < parents.size(); ++count) {
    at = parents.find(at->second);
    if (at == parents.end()) break;
  }
  return count;
}

ProcessKey keyOf(const TraceFile& file, const Parents& parents) {
  const trace::ProcessRow row = processOf(file);
  return {std::string(file.text(row.executable)), std::string(file.text(row.commandLine)), row.rank,
          ancestorsOf(row.pid, parents)};
}

bool hasKernels(const TraceFile& file) { return file.rowCount(trace::TableId::kKernel) > 0; }

/// Processes by what they are found by, in the order in which they started.
std::map<ProcessKey, std::vector<TraceFile>> byKey(std::vector<TraceFile> files) {
  Parents parents;
  for (const TraceFile& file : files) {
    const trace::ProcessRow row = processOf(file);
    parents[row.pid] = row.parentPid;
  }
  std::stable_sort(files.begin(), files.end(), [](const TraceFile& a, const TraceFile& b) {
    const trace::ProcessRow first = processOf(a);
    const trace::ProcessRow second = processOf(b);
    return std::tie(first.startNs, first.pid) < std::tie(second.startNs, second.pid);
  });
  std::map<ProcessKey, std::vector<TraceFile>> result;
  for (TraceFile& file : files) {
    ProcessKey key = keyOf(file, parents);
    result[std::move(key)].push_back(std::move(file));
  }
  return result;
}

void amendOrSay(const TraceFile& file, const trace::Amendment& amendment) {
  if (const auto amended = trace::amend(file.path(), amendment); !amended)
    say("the exact bytes of kernels are not kept: " + amended.error().text);
}

void addTo(const TraceFile& first, const TraceFile& second, const std::string& ending) {
  ExactColumns columns = columnsOf(first, second);
  trace::Amendment amendment{.table = trace::TableId::kKernel, .columns = {}, .missing = {}};
  amendment.columns[trace::columnIndex<&KernelRow::bytesRead, KernelRow>()] =
      std::move(columns.read);
  amendment.columns[trace::columnIndex<&KernelRow::bytesWritten, KernelRow>()] =
      std::move(columns.written);
  if (columns.outcome.without() > 0)
    amendment.missing.push_back({"GPU", describe(columns.outcome, reasonIn(second), ending)});
  amendOrSay(first, amendment);
}

void tellNone(const TraceFile& file, const std::string& why) {
  amendOrSay(file, {.table = trace::TableId::kKernel,
                    .columns = {},
                    .missing = {{"GPU", "no exact bytes of kernels: " + why}}});
}

}  // namespace

void addExactBytes(const std::filesystem::path& folder, const CountingRun& counting) {
  const auto again = byKey(tracesIn(counting.folder));
  const std::string unfound = "the process did not come up when the program ran again" +
                              (counting.ending.empty() ? std::string() : "; " + counting.ending);
  for (const auto& [key, files] : byKey(tracesIn(folder))) {
    const auto found = again.find(key);
    for (size_t i = 0; i < files.size(); ++i) {
      if (!hasKernels(files[i])) continue;
      const bool isFound = found != again.end() && i < found->second.size();
      if (!isFound) {
        tellNone(files[i], unfound);
        continue;
      }
      const TraceFile& second = found->second[i];
      const std::string reason = reasonIn(second);
      if (!hasKernels(second) && !reason.empty()) {
        tellNone(files[i], reason);
      } else {
        addTo(files[i], second, counting.ending);
      }
    }
  }
}

void tellNoExactBytes(const std::filesystem::path& folder, const std::string& why) {
  for (const TraceFile& file : tracesIn(folder)) {
    if (hasKernels(file)) tellNone(file, why);
  }
}

int64_t kernelCount(const std::filesystem::path& folder) {
  int64_t count = 0;
  for (const TraceFile& file : tracesIn(folder))
    count += static_cast<int64_t>(file.rowCount(trace::TableId::kKernel));
  return count;
}

}  // namespace jitscope::collector
