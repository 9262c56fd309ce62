#pragma once

#include <filesystem>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Writes the JSON that torch.profiler writes: operators, API calls, kernels, copies, sets, waits,
/// arrows from launches to kernels, marks of compiled regions and guard checks under the names that
/// torch.compile gives them. What only we know stands in categories of its own (jitscope_call,
/// jitscope_compile, jitscope_break, jitscope_guard_failure), which other tools step over.
trace::Result<void> exportChrome(const Run& run, const std::filesystem::path& target);

}  // namespace jitscope::analyzer
