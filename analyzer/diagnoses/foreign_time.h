#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Time of one process for which compilations and graph breaks account: findings about a device or
/// its host leave it out, for it is counted there.
class ForeignTime {
 public:
  ForeignTime(const Run& run, ProcessIndex process);

  /// How much of a span it is, in nanoseconds.
  int64_t within(int64_t startNs, int64_t endNs) const;

 private:
  using Span = std::pair<int64_t, int64_t>;

  std::vector<Span> spans_;  ///< by time, without overlap
};

}  // namespace jitscope::analyzer
