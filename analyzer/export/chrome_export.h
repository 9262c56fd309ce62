#pragma once

#include <filesystem>
#include <vector>

#include "analyzer/export/export_run.h"
#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Writes the JSON that torch.profiler writes: operators, API calls, kernels, copies, sets, waits,
/// arrows from launches to kernels, marks of compiled regions and guard checks under the names that
/// torch.compile gives them. What only we know stands in categories of its own (jitscope_call,
/// jitscope_compile, jitscope_break, jitscope_guard_failure), which other tools step over; see
/// writeKeptRows for what has no form at all.
trace::Result<void> exportChrome(const Run& run, const std::filesystem::path& target);

/// The rows of a run that other tools do not see in the file: of tables that have no form in it,
/// and those whose times cannot be right.
std::vector<LeftOut> chromeLeavesOut(const Run& run);

}  // namespace jitscope::analyzer
