#pragma once

#include <cstdint>
#include <string>
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

/// Answers one SELECT over the tables of trace/schema.h, each with the column `process` in front,
/// and over `finding`. The tables are read where they are. Errors are SQLite's words; a statement
/// that would write is one.
trace::Result<QueryAnswer> query(const Run& run, const Analysis& analysis, const std::string& sql);

}  // namespace jitscope::analyzer
