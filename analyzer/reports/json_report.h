#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The report for programs, as REPORT.md specifies. Text that is no UTF-8 is mended; `layout`
/// changes nothing.
std::string jsonReport(const Run& run, const Analysis& analysis, const ReportLayout& layout);

}  // namespace jitscope::analyzer
