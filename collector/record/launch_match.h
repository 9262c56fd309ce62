#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace jitscope::collector {

/// No launch of the other run.
inline constexpr size_t kNoLaunch = std::numeric_limits<size_t>::max();

/// Finds the launches of one run of a program in another run of it. A launch is given by the number
/// of its kernel and grid, in the order of launching. Gives for each of `first` its place in
/// `second`, or kNoLaunch. The order counts: as many as can be are matched in order. What is left
/// then, as where threads launched in another order, is matched by number alone. Of runs that have
/// little in common, only kernels are matched that both launched equally often.
std::vector<size_t> matchLaunches(std::span<const uint32_t> first,
                                  std::span<const uint32_t> second);

}  // namespace jitscope::collector
