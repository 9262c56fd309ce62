#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The report for a terminal: aligned tables, lines of at most 100 characters where words allow it.
std::string textReport(const Run& run, const Analysis& analysis, const ReportLayout& layout);

}  // namespace jitscope::analyzer
