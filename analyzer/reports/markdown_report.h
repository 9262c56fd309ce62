#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The report for a pull request or a wiki.
std::string markdownReport(const Run& run, const Analysis& analysis, const ReportLayout& layout);

}  // namespace jitscope::analyzer
