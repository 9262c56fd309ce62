#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/finding.h"
#include "analyzer/frame_summary.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What a diagnosis looks at.
struct Subject {
  const Run& run;
  const std::vector<FrameSummary>& frames;  ///< in the order of Run::frames
};

/// Finds one kind of cause in a run: one finding per cause, merged over repeats and processes.
struct Diagnosis {
  std::string_view name;
  std::vector<Finding> (*find)(const Subject& subject);
};

/// Every diagnosis. Their order does not matter: findings are ordered by cost afterwards.
std::span<const Diagnosis> allDiagnoses();

}  // namespace jitscope::analyzer
