#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/import/import.h"

namespace jitscope::analyzer {

/// Counts of device work that need its launches: they come in any order, so all are gathered first.
class GpuTally {
 public:
  /// One kernel, copy or set.
  struct Work {
    int64_t startNs = 0, endNs = 0;
    std::optional<int64_t> correlation;
    uint32_t track = 0;
  };

  void addWork(const Work& work) { work_.push_back(work); }
  void addLaunch(int64_t correlation, int64_t startNs) {
    launches_.push_back({correlation, startNs});
  }

  /// Adds no_corr, corr_unmatched, same_stream_overlaps, neg_launch_latency and zero_dur_gpu.
  void count(Import& import);

 private:
  struct Launch {
    int64_t correlation, startNs;
  };

  /// The first call with that correlation.
  const Launch* find(int64_t correlation) const;
  int64_t countOverlaps();

  std::vector<Work> work_;
  std::vector<Launch> launches_;
};

}  // namespace jitscope::analyzer
