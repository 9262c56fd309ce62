#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// What repeats tell: the middle one of many durations, and whether two sets of them differ.
namespace jitscope::analyzer {

/// The middle of durations in their order, the upper one of two; 0 for none.
int64_t medianOf(std::vector<int64_t> durations);

/// By how many standard deviations `some` rank above `others` (Mann and Whitney's U), which one
/// slow repeat cannot bring about. 0 when either is empty. Fewer than seven of each never reach
/// kLeastDeviations.
double deviationsAbove(const std::vector<int64_t>& some, const std::vector<int64_t>& others);

/// What counts as different: of things that are as fast either way, one in a thousand would be
/// found by chance.
inline constexpr double kLeastDeviations = 3;

/// A difference of the medians that nobody would mend is none.
inline constexpr double kLeastRatio = 1.05;

/// How many repeats of each kind can reach kLeastDeviations.
inline constexpr size_t kFewestRepeats = 7;

}  // namespace jitscope::analyzer
