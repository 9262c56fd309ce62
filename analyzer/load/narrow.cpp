#include "analyzer/load/narrow.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "analyzer/load/valid_time.h"
#include "analyzer/units.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {
namespace {

using trace::TableDescription;
using trace::TableId;
using trace::TraceFile;

constexpr size_t kNoColumn = std::numeric_limits<size_t>::max();

size_t columnOf(const TableDescription& table, std::string_view name) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == name) return i;
  }
  return kNoColumn;
}

/// The column that says when a row was; none for what holds all the time.
size_t timeColumn(const TableDescription& table) {
  constexpr std::array kTimeless{TableId::kProcess, TableId::kThread, TableId::kDevice,
                                 TableId::kFrame,   TableId::kLoss,   TableId::kRecordedWindow};
  if (std::find(kTimeless.begin(), kTimeless.end(), table.id) != kTimeless.end()) return kNoColumn;
  const size_t start = columnOf(table, "start_ns");
  return start != kNoColumn ? start : columnOf(table, "time_ns");
}

/// What a device did belongs to no frame; operators are kept, for calls are counted by them.
bool isOfDevice(TableId table) {
  constexpr std::array kDeviceTables{TableId::kKernel, TableId::kMemcpy, TableId::kMemset,
                                     TableId::kApi,    TableId::kSync,   TableId::kGraphLaunch,
                                     TableId::kCounter};
  return std::find(kDeviceTables.begin(), kDeviceTables.end(), table) != kDeviceTables.end();
}

int64_t rankOf(const TraceFile& file) {
  const std::vector<trace::ProcessRow> rows = file.rows<trace::ProcessRow>();
  return rows.empty() ? -1 : rows.front().rank;
}

/// When the first and the last row start; the first behind the last when no row has a time.
struct TimeSpan {
  int64_t firstNs = std::numeric_limits<int64_t>::max(), lastNs = -1;
};

TimeSpan startTimes(const std::vector<TraceFile>& traces) {
  TimeSpan span;
  for (const TraceFile& file : traces) {
    for (const TableDescription& table : trace::knownTables()) {
      const size_t column = timeColumn(table);
      if (column == kNoColumn || file.rowCount(table.id) == 0) continue;
      for (const int64_t timeNs : file.column(table.id, column)) {
        if (!isValidTime(timeNs)) continue;
        span.firstNs = std::min(span.firstNs, timeNs);
        span.lastNs = std::max(span.lastNs, timeNs);
      }
    }
  }
  return span;
}

/// The number that a text is; none for any other.
std::optional<int64_t> numberOf(const std::string& text) {
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isNumber = problem == std::errc() && end == text.data() + text.size();
  return isNumber && number >= 0 ? std::optional(number) : std::nullopt;
}

/// The frames of a file that are called so, or have that number.
std::set<int64_t> framesCalled(const TraceFile& file, const std::string& wanted) {
  const std::optional<int64_t> number = numberOf(wanted);
  std::set<int64_t> frames;
  for (const trace::FrameRow& row : file.rows<trace::FrameRow>()) {
    const auto id = static_cast<int64_t>(row.frame);
    if (file.text(row.name) == wanted || id == number) frames.insert(id);
  }
  return frames;
}

/// Copies the rows of one file that stay.
class Copier {
 public:
  Copier(const TraceFile& file, const RunFilter& filter, int64_t fromNs)
      : file_(file), filter_(filter), fromNs_(fromNs) {
    if (!filter.frame.empty()) frames_ = framesCalled(file, filter.frame);
  }

  TraceFile copy() {
    for (const TableDescription& table : trace::knownTables()) {
      if (file_.rowCount(table.id) > 0) copyTable(table);
    }
    return std::move(copy_).finish(file_.path(), file_.losses(), file_.isComplete());
  }

 private:
  void copyTable(const TableDescription& table) {
    const bool isFiltered = !filter_.frame.empty();
    if (isFiltered && isOfDevice(table.id)) return;
    std::vector<std::span<const int64_t>> columns;
    columns.reserve(table.columns.size());
    for (size_t i = 0; i < table.columns.size(); ++i) columns.push_back(file_.column(table.id, i));
    const size_t time = timeColumn(table);
    const size_t frame = isFiltered ? columnOf(table, "frame") : kNoColumn;
    std::vector<int64_t> cells(columns.size());
    for (size_t row = 0; row < file_.rowCount(table.id); ++row) {
      if (time != kNoColumn && columns[time][row] < fromNs_) continue;
      if (frame != kNoColumn && !frames_.contains(columns[frame][row])) continue;
      for (size_t i = 0; i < columns.size(); ++i)
        cells[i] = table.columns[i].type == trace::ColumnType::kText ? intern(columns[i][row])
                                                                     : columns[i][row];
      copy_.write(table.id, cells);
    }
  }

  int64_t intern(int64_t cell) {
    const auto id = trace::fromCell<trace::StringId>(cell);
    return trace::toCell(copy_.intern(file_.text(id)));
  }

  const TraceFile& file_;
  const RunFilter& filter_;
  int64_t fromNs_;
  std::set<int64_t> frames_;
  trace::MemoryTrace copy_;
};

trace::Result<void> keepRank(std::vector<TraceFile>& traces, int64_t rank) {
  std::set<int64_t> known;
  for (const TraceFile& file : traces) known.insert(rankOf(file));
  if (!known.contains(rank)) {
    std::string ranks;
    for (const int64_t each : known) {
      if (each >= 0) ranks += (ranks.empty() ? "" : ", ") + std::to_string(each);
    }
    return trace::Error{"no process of rank " + std::to_string(rank) +
                        (ranks.empty() ? "; the run tells no ranks" : "; there are " + ranks)};
  }
  std::erase_if(traces, [&](const TraceFile& file) { return rankOf(file) != rank; });
  return {};
}

/// The start of the window that begins `sinceNs` after the first row; an error when none is in it.
trace::Result<int64_t> windowStart(const std::vector<TraceFile>& traces, int64_t sinceNs) {
  const TimeSpan span = startTimes(traces);
  const int64_t fromNs = std::min(span.firstNs, kLatestNs) + tamed(sinceNs);
  if (span.firstNs > span.lastNs || fromNs <= span.lastNs) return fromNs;
  return trace::Error{"nothing starts " + durationText(sinceNs) +
                      " after the first event or later; the last does after " +
                      durationText(span.lastNs - span.firstNs)};
}

}  // namespace

trace::Result<std::vector<TraceFile>> narrow(std::vector<TraceFile> traces,
                                             const RunFilter& filter) {
  if (filter.rank) {
    if (const trace::Result<void> kept = keepRank(traces, *filter.rank); !kept) return kept.error();
  }
  if (filter.frame.empty() && filter.sinceNs == 0) return traces;
  trace::Result<int64_t> fromNs = int64_t{0};
  if (filter.sinceNs != 0) fromNs = windowStart(traces, filter.sinceNs);
  if (!fromNs) return fromNs.error();
  std::vector<TraceFile> result;
  result.reserve(traces.size());
  for (const TraceFile& file : traces) result.push_back(Copier(file, filter, *fromNs).copy());
  return result;
}

}  // namespace jitscope::analyzer
