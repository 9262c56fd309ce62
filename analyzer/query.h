#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// A cell of an answer: nothing, a number, or text that lives until the next row.
using QueryCell = std::variant<std::monostate, int64_t, double, std::string_view>;

/// Takes an answer as it comes, so that nobody holds all of it.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;

  /// Told once, before the rows.
  virtual void columns(const std::vector<std::string>& names) = 0;

  /// Takes a row, as long as the columns. False: no more are wanted.
  virtual bool row(std::span<const QueryCell> cells) = 0;
};

/// What a query may use, whatever it asks for.
struct QueryBounds {
  int64_t mostMemoryBytes = int64_t{1} << 30;  ///< of SQLite, in the whole process
  std::stop_token stop;  ///< the query ends with an error soon after a stop is requested
  /// How to allow more memory, for the error of a query that needs it; empty: not told.
  std::string_view moreMemory;
};

/// A table that a query can read.
struct QueryTable {
  std::string_view name;
  std::vector<std::string_view> columns;
};

/// All of them, `finding` first.
std::vector<QueryTable> queryTables();

/// Their names.
std::vector<std::string_view> queryTableNames();

/// Answers one SELECT over the tables of trace/schema.h, each with the column `process` in front,
/// and over `finding`. The tables are read where they are. Errors are SQLite's words, or what
/// helps, with the names of the tables for one that is not there; a statement that would write is
/// one. One query at a time in a process.
trace::Result<void> query(const Run& run, const Analysis& analysis, const std::string& sql,
                          AnswerSink& sink, const QueryBounds& bounds = {});

}  // namespace jitscope::analyzer
