#pragma once

#include <cstdint>
#include <limits>

namespace jitscope::trace {

/// `a + b` of amounts that files tell, each of which may be anything; at most, or at least, what an
/// int64_t holds.
constexpr int64_t sumOfAmounts(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

}  // namespace jitscope::trace
