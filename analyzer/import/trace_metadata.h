#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/import/import.h"
#include "analyzer/import/program_message.h"
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

  /// Writes the process, of which the events tell id and program, its devices, and the counts of
  /// ranks.
  void write(int64_t processId, std::string_view program, trace::MemoryTrace& trace,
             Import& import) const;

 private:
  struct Device {
    trace::DeviceRow row;
    std::string name;
  };

  struct Versions {
    std::string cuda, driver, cupti;
  };

  void takeDevices(std::string_view value);
  void takeDistribution(std::string_view value);
  void takeMessages(std::string_view value);

  int64_t baseNs_ = 0;
  std::optional<int64_t> rank_, worldSize_;
  std::string hostName_;
  Versions versions_;
  std::vector<Device> devices_;
  std::vector<ProgramMessage> messages_;  ///< what the profiler says of its own troubles
};

}  // namespace jitscope::analyzer
