#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/gate/measures.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// How large a measure may be: `fixed`, or the baseline's value and some more.
struct Limit {
  const Measure* measure = nullptr;
  bool isOfBaseline = false;
  double fixed = 0;    ///< the limit, or what may be added to the baseline's value
  double percent = 0;  ///< what may be added to the baseline's value, in percent of it
};

/// Findings that a project lives with, for a while.
struct Allowance {
  std::string pattern;  ///< a finding's id; `*` stands for any letters
  std::string reason;
  std::chrono::year_month_day until{};  ///< the last day on which it holds
};

/// What a project demands of its runs.
struct GateConfig {
  std::vector<Limit> limits;
  std::vector<Allowance> allowances;
  /// Findings that the baseline does not have; counted only when there is a baseline.
  int64_t newFindings = 0;
};

/// The name of GateConfig::newFindings among the limits.
inline constexpr std::string_view kNewFindingsLimit = "new_findings";

/// A limit as it is written: "12", "baseline", "baseline+3", "baseline+10%".
trace::Result<Limit> parseLimit(std::string_view measure, std::string_view text);

/// Reads a configuration (TOML, see GATE.md). Errors are `PATH: what: line N`.
trace::Result<GateConfig> readGateConfig(const std::filesystem::path& path);

/// As above, from text; `name` stands for the path.
trace::Result<GateConfig> parseGateConfig(std::string_view text, const std::string& name);

/// Whether `pattern`, in which `*` stands for any letters, is all of `text`.
bool matchesPattern(std::string_view pattern, std::string_view text);

}  // namespace jitscope::analyzer
