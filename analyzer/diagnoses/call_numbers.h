#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Which call of its callable each call is, counted from 1 in the order of their starts: the
/// request that a person looks for.
class CallNumbers {
 public:
  explicit CallNumbers(const Run& run);

  int64_t of(CallIndex call) const { return numbers_[position(call)]; }

 private:
  std::vector<int64_t> numbers_;
};

}  // namespace jitscope::analyzer
