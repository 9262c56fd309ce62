#pragma once

#include <string>
#include <vector>

#include "analyzer/finding.h"
#include "analyzer/frame_summary.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What a run means.
struct Analysis {
  std::string verdict;               ///< one or two sentences for the top of a page
  std::vector<FrameSummary> frames;  ///< in the order of Run::frames
  std::vector<Finding> findings;     ///< worst first; what is paid once last
};

/// Runs every diagnosis over `run`. Takes time proportional to calls, breaks, failures and kernels;
/// operators are looked at only where kernels were launched.
Analysis analyze(const Run& run);

}  // namespace jitscope::analyzer
