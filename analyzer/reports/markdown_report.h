#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The report for a pull request or a wiki.
std::string markdownReport(const Run& run, const Analysis& analysis);

}  // namespace jitscope::analyzer
