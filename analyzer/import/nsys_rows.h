#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/import/import.h"
#include "analyzer/import/nsys_table.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// Makes rows of the tables of one export. For one thread.
class NsysRows {
 public:
  /// All must outlive this.
  NsysRows(const NsysTables& tables, Import& import) : tables_(tables), import_(import) {}

  /// Reads all tables. An error is SQLite's.
  trace::Result<void> read();

 private:
  /// One process of the export.
  struct Process {
    trace::MemoryTrace* trace = nullptr;
    std::set<int64_t> threads;
  };

  trace::Result<void> readTexts();
  trace::Result<void> readStart();
  trace::Result<void> readCalls(std::string_view table);
  trace::Result<void> readKernels(std::string_view table);
  trace::Result<void> readCopies();
  trace::Result<void> readSets();
  trace::Result<void> readWaits();
  trace::Result<void> readGraphs();
  trace::Result<void> readRanges();
  trace::Result<void> readDevices();
  trace::Result<void> readThreadNames();
  trace::Result<void> readProcesses();
  void count();

  /// Whether a table is there and has these columns. Those that it lacks are told as absent.
  trace::Result<bool> hasColumns(std::string_view table, const std::vector<std::string>& columns);

  /// Whether the row's first two cells, its start and end, are times. If not, it counts as lost.
  bool hasTimes(std::string_view table, const Statement& row);

  /// Calls `take(row)` for each row of a table.
  template <class Take>
  trace::Result<void> forEachRow(std::string_view table, const std::vector<std::string>& columns,
                                 Take take);

  /// As above, for rows that last from a start to an end, which are the first columns.
  template <class Take>
  trace::Result<void> forEachSpan(std::string_view table, const std::vector<std::string>& columns,
                                  Take take);

  Process& processOf(int64_t globalId);
  std::string_view textOf(int64_t id) const;
  int64_t timeOf(int64_t sessionNs) const;

  const NsysTables& tables_;
  Import& import_;
  std::map<int64_t, Process> processes_;  ///< by process id
  std::unordered_map<int64_t, std::string> texts_;
  std::unordered_set<int64_t> calls_;  ///< correlations that a call has
  int64_t startNs_ = 0;                ///< what is added to all times
  int64_t kernels_ = 0, kernelNs_ = 0, unmatched_ = 0;
};

}  // namespace jitscope::analyzer
