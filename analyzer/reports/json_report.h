#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The report for programs, as REPORT.md specifies. Text that is no UTF-8 is mended.
std::string jsonReport(const Run& run, const Analysis& analysis);

}  // namespace jitscope::analyzer
