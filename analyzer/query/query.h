#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// What a query answers.
struct QueryAnswer {
  using Cell = std::variant<std::monostate, int64_t, double, std::string>;

  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
};

/// The tables that a query can read.
std::vector<std::string_view> queryTableNames();

/// Answers one SELECT over the tables of trace/schema.h, each with the column `process` in front,
/// and over `finding`. The tables are read where they are. Errors are SQLite's words, with the
/// names of the tables for one that is not there; a statement that would write is one.
trace::Result<QueryAnswer> query(const Run& run, const Analysis& analysis, const std::string& sql);

}  // namespace jitscope::analyzer
