#include "analyzer/import/join_processes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "analyzer/load/valid_time.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {
namespace {

using trace::TableDescription;
using trace::TableId;
using trace::TraceFile;

/// Tables of which two inputs may each tell a part.
bool isShared(TableId table) {
  constexpr std::array kShared{TableId::kProcess,        TableId::kThread, TableId::kDevice,
                               TableId::kRecordedWindow, TableId::kFrame,  TableId::kLoss,
                               TableId::kArtifact};
  return std::find(kShared.begin(), kShared.end(), table) != kShared.end();
}

/// What must fit for two traces to be of one process.
struct Identity {
  trace::ProcessRow row;
  std::string host, command;
  int64_t startNs = std::numeric_limits<int64_t>::max(), endNs = 0;

  explicit Identity(const TraceFile& file) {
    const std::vector<trace::ProcessRow> rows = file.rows<trace::ProcessRow>();
    if (!rows.empty()) row = rows.front();
    host = file.text(row.hostName);
    command = file.text(row.commandLine);
    for (const TableDescription& table : trace::knownTables()) {
      if (isShared(table.id) || file.rowCount(table.id) == 0) continue;
      for (size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].name == "start_ns" || table.columns[i].name == "time_ns")
          addTimes(file.column(table.id, i));
      }
    }
  }

  bool fits(const Identity& other) const {
    constexpr int64_t kHourNs = 3'600'000'000'000;
    const bool isOneHost = host.empty() || other.host.empty() || host == other.host;
    // A process that becomes another program keeps its id.
    const bool isOneProgram = command.empty() || other.command.empty() || command == other.command;
    const bool isOneRank = row.rank < 0 || other.row.rank < 0 || row.rank == other.row.rank;
    const bool isOneTime = startNs <= other.endNs + kHourNs && other.startNs <= endNs + kHourNs;
    return row.pid > 0 && row.pid == other.row.pid && isOneHost && isOneProgram && isOneRank &&
           isOneTime;
  }

 private:
  void addTimes(std::span<const int64_t> times) {
    for (const int64_t timeNs : times) {
      if (!isValidTime(timeNs)) continue;
      startNs = std::min(startNs, timeNs);
      endNs = std::max(endNs, timeNs);
    }
  }
};

bool complement(const TraceFile& a, const TraceFile& b) {
  const auto isInBoth = [&](const TableDescription& table) {
    return !isShared(table.id) && a.rowCount(table.id) > 0 && b.rowCount(table.id) > 0;
  };
  return a.path() != b.path() &&
         std::none_of(trace::knownTables().begin(), trace::knownTables().end(), isInBoth);
}

/// Puts the rows of two traces into one. What one process row does not tell, the other may.
class Joiner {
 public:
  TraceFile join(const TraceFile& first, const TraceFile& second) {
    for (const TableDescription& table : trace::knownTables()) {
      if (table.id == TableId::kProcess) continue;
      copyTable(first, table);
      copyTable(second, table);
    }
    trace::emit(joined_, processOf(first, second));
    std::vector<trace::ReadLoss> losses = first.losses();
    losses.insert(losses.end(), second.losses().begin(), second.losses().end());
    return std::move(joined_).finish(first.path(), std::move(losses),
                                     first.isComplete() && second.isComplete());
  }

 private:
  void copyTable(const TraceFile& file, const TableDescription& table) {
    const size_t rows = file.rowCount(table.id);
    if (rows == 0) return;
    std::vector<std::span<const int64_t>> columns;
    columns.reserve(table.columns.size());
    for (size_t i = 0; i < table.columns.size(); ++i) columns.push_back(file.column(table.id, i));
    std::vector<int64_t> cells(columns.size());
    for (size_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < columns.size(); ++i) {
        const bool isText = table.columns[i].type == trace::ColumnType::kText;
        cells[i] = isText ? intern(file, columns[i][row]) : columns[i][row];
      }
      joined_.write(table.id, cells);
    }
  }

  int64_t intern(const TraceFile& file, int64_t cell) {
    return trace::toCell(joined_.intern(file.text(trace::fromCell<trace::StringId>(cell))));
  }

  trace::ProcessRow processOf(const TraceFile& first, const TraceFile& second) {
    trace::ProcessRow joined;
    for (const TraceFile* file : {&second, &first}) {
      const std::vector<trace::ProcessRow> rows = file->rows<trace::ProcessRow>();
      if (rows.empty()) continue;
      trace::ProcessRow::columns([&](const char*, auto member) {
        const auto told = rows.front().*member;
        if (told == trace::ProcessRow{}.*member) return;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(told)>, trace::StringId>)
          joined.*member = joined_.intern(file->text(told));
        else
          joined.*member = told;
      });
    }
    return joined;
  }

  trace::MemoryTrace joined_;
};

}  // namespace

std::vector<TraceFile> joinProcesses(std::vector<TraceFile> traces) {
  std::vector<TraceFile> result;
  std::vector<Identity> identities;
  for (TraceFile& file : traces) {
    const Identity identity(file);
    size_t partner = 0;
    while (partner < result.size() &&
           !(identities[partner].fits(identity) && complement(result[partner], file)))
      ++partner;
    if (partner == result.size()) {
      result.push_back(std::move(file));
      identities.push_back(identity);
      continue;
    }
    result[partner] = Joiner().join(result[partner], file);
    identities[partner] = Identity(result[partner]);
  }
  return result;
}

}  // namespace jitscope::analyzer
