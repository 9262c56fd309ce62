#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/diff.h"

namespace jitscope::analyzer {

/// All durations of one thing in one run.
struct Durations {
  std::vector<int64_t> allNs;  ///< in the order in which they were recorded
  std::string served;
};

/// What repeats in a run, by name.
using DurationsByName = std::map<std::string, Durations>;

/// Calls by callable (name and place): those that an entry served, else eager ones.
DurationsByName callDurations(const Run& run, const Analysis& analysis);

/// Kernels by name.
DurationsByName kernelDurations(const Run& run);

/// Operators that run in no other, by name.
DurationsByName operatorDurations(const Run& run);

/// Pairs and judges them, by how much time they differ. A difference is told only when the medians
/// differ by what somebody would mend, the repeats rank apart (the more things are compared, the
/// further), and blocks of consecutive repeats are apart too.
std::vector<RepeatDifference> compareRepeats(const DurationsByName& before,
                                             const DurationsByName& after);

}  // namespace jitscope::analyzer
