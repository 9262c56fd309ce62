#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/kernel_summary.h"
#include "analyzer/reports/table.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What ran on the GPU, for a text or Markdown report: how kernels came to run, those of each
/// compiled callable, and those that took most time. Tables without rows when nothing did.
std::vector<Table> kernelTables(const Run& run, const Analysis& analysis);

/// The same, and all of it, for the JSON report.
nlohmann::ordered_json kernelsJson(const Run& run);

}  // namespace jitscope::analyzer
