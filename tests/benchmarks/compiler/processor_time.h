#pragma once

#include <time.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace jitscope::compiler {

/// The calling thread's processor time so far, in nanoseconds.
inline double threadTimeNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Nanoseconds of one call of each action: the best of `repetitions`, each a mean of `calls`. The
/// actions take turns, so that a processor that runs at another speed for seconds at a time slows
/// all of them down, not one.
template <class... Actions>
std::array<double, sizeof...(Actions)> bestTimesNs(int repetitions, int calls,
                                                   const Actions&... actions) {
  std::array<double, sizeof...(Actions)> best;
  best.fill(std::numeric_limits<double>::max());
  const auto measure = [&](double& bestOfOne, const auto& action) {
    const double startNs = threadTimeNs();
    for (int j = 0; j < calls; ++j) action();
    bestOfOne = std::min(bestOfOne, (threadTimeNs() - startNs) / calls);
  };
  for (int i = 0; i < repetitions; ++i) {
    size_t next = 0;
    (measure(best[next++], actions), ...);
  }
  return best;
}

}  // namespace jitscope::compiler
