#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analyzer/kernel_summary.h"
#include "analyzer/reports/table.h"

namespace jitscope::analyzer {

/// The columns of a table of kernels that tell of memory traffic, each source for itself: only
/// those that some kernel fills.
class TrafficColumns {
 public:
  explicit TrafficColumns(const std::vector<KernelGroup>& groups);

  /// Adds the columns, and to the note what they mean.
  void addTo(Table& table) const;

  /// Adds the cells of one group to its row.
  void addTo(std::vector<std::string>& row, const KernelGroup& group) const;

 private:
  bool hasSampled_ = false, hasRepeated_ = false, hasExact_ = false, hasModelled_ = false;
};

/// `sampled`, `sampled_repeats`, `exact` and `modelled` of a group, each null where not known.
nlohmann::ordered_json trafficJson(const KernelGroup& group);

}  // namespace jitscope::analyzer
