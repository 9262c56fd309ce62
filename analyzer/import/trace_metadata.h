#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/import/import.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// What stands beside the events of a Chrome trace: clock, machine, place among the ranks.
class TraceMetadata {
 public:
  /// Takes a member of the root object. `value` is JSON as it stands; what is not understood is
  /// left out.
  void take(std::string_view key, std::string_view value);

  /// What is added to all times.
  int64_t baseNs() const { return baseNs_; }

  /// Writes the process and its devices, and the counts of ranks.
  void write(int64_t processId, trace::MemoryTrace& trace, Import& import) const;

 private:
  struct Device {
    trace::DeviceRow row;
    std::string name;
  };

  void takeDevices(std::string_view value);
  void takeDistribution(std::string_view value);

  int64_t baseNs_ = 0;
  std::optional<int64_t> rank_, worldSize_;
  std::string hostName_, cudaVersion_, driverVersion_, cuptiVersion_;
  std::vector<Device> devices_;
};

}  // namespace jitscope::analyzer
