#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The run that a file with this text makes.
Run runOfLog(std::string_view text);

/// The run of a file in tests/traces/logs.
Run runOfLogFile(const std::string& name);

/// The count of that name of the run's only input; -1 when it has none.
int64_t inputCount(const Run& run, std::string_view name);

}  // namespace jitscope::analyzer
