#pragma once

#include <string_view>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The run that these rows (see tests/support/trace_text.h) make when recorded and read back: one
/// text for each process. Its paths are made the same on every machine.
Run runOf(const std::vector<std::string_view>& processes);
Run runOf(std::string_view process);

/// The findings of one kind in those rows, worst first.
std::vector<Finding> findingsOf(const std::vector<std::string_view>& processes, FindingKind kind);
std::vector<Finding> findingsOf(std::string_view process, FindingKind kind);

/// The value of one evidence of a finding; -1 when it has none of that name.
int64_t evidence(const Finding& finding, std::string_view what);

/// A service that is first eager, then compiled, with one of every kind of finding.
extern const std::string_view kServiceRows;

}  // namespace jitscope::analyzer
