#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/process.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A kernel, copy or set that ran on a device.
struct DeviceWork {
  int64_t startNs = 0, endNs = 0, device = 0, stream = 0;
  trace::CorrelationId correlation = trace::CorrelationId::kNone;
  KernelIndex kernel = KernelIndex::kNone;  ///< kNone for copies and sets
};

/// All device work of one process with times that can be right, by device, then by start.
std::vector<DeviceWork> deviceWorkOf(const Process& process);

/// The calls of the driver's and the runtime's API of one process, by correlation.
class ApiCalls {
 public:
  explicit ApiCalls(const Process& process);

  /// The first call with that correlation; null when there is none, or when the id is none.
  const trace::ApiRow* find(trace::CorrelationId correlation) const;

  const std::vector<trace::ApiRow>& all() const { return calls_; }

 private:
  std::vector<trace::ApiRow> calls_;
};

/// Whether a call of that name starts work on a device: a kernel or a CUDA graph.
bool isLaunch(std::string_view api);

/// Whether a kernel of that name talks to other ranks, which it waits for.
bool isCollective(std::string_view kernel);

/// Whether the host waits in a call of that name until a device has done its work.
bool isSynchronization(std::string_view api);

/// The parts of device time in which anything runs: spans that overlap or touch are one.
class BusyTime {
 public:
  /// Takes work by start; gives how long the device was idle in front of it, 0 for the first.
  int64_t add(const DeviceWork& work);

  int64_t busyNs() const { return busyNs_; }  ///< overlapping work counts once
  int64_t endNs() const { return endNs_; }    ///< the latest end so far

 private:
  bool isEmpty_ = true;
  int64_t busyNs_ = 0, endNs_ = 0;
};

}  // namespace jitscope::analyzer
