#pragma once

#include <time.h>

#include <algorithm>
#include <limits>

namespace jitscope::compiler {

/// The calling thread's processor time so far, in nanoseconds.
inline double threadTimeNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Nanoseconds of one call of `action`: the best of `repetitions`, each a mean of `calls`.
template <class Action>
double bestNs(int repetitions, int calls, const Action& action) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    const double startNs = threadTimeNs();
    for (int j = 0; j < calls; ++j) action();
    best = std::min(best, (threadTimeNs() - startNs) / calls);
  }
  return best;
}

}  // namespace jitscope::compiler
