#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The report as one HTML file that needs no network: pictures are inside of it, tables sort by a
/// click, and all that comes from the recording is escaped.
std::string htmlReport(const Run& run, const Analysis& analysis, const ReportLayout& layout);

}  // namespace jitscope::analyzer
