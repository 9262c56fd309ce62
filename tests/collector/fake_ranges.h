#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collector/cupti/profiler_api.h"
#include "collector/cupti/range_api.h"

namespace jitscope::collector {

/// A launch that a test makes up.
struct FakeLaunch {
  CUcontext context = nullptr;
  const char* kernel = "";
  uint32_t grid = 1;
  double read = 0, written = 0;
  CUresult result = CUDA_SUCCESS;
  bool runs = true;  ///< else it is captured into a graph
};

/// Stands for CUPTI's range profiler where there is no GPU: counts what a test says that kernels
/// moved. There is one, as there is one CUPTI.
struct FakeRanges {
  struct Counter {
    CUcontext context = nullptr;
    bool isStarted = false, isDisabled = false;
    int starts = 0;
    std::vector<std::pair<double, double>> running, decoded;
  };
  std::map<std::string, CUptiResult> failures;  ///< by function: what it answers
  int initialized = 0;
  uint64_t passes = 1;
  bool losesRanges = false;  ///< one of those that it counts
  std::vector<std::string> metrics;
  std::vector<Counter> counters;  ///< in the order in which they were enabled

  /// Calls the subscriber of the fake CUPTI around the launch, as CUPTI does, and counts it.
  void launch(const FakeLaunch& launch);
  /// The same with the driver's newer function, or with a graph of so many kernels.
  void launchWithConfig(const FakeLaunch& launch);
  void launchGraph(CUcontext context, int kernels);

  /// Counts a kernel that no call is told of.
  void run(CUcontext context, double read, double written);
};

/// The one of this process.
FakeRanges& fakeRanges();
/// Makes it as it was in the beginning.
void resetFakeRanges();

/// Its functions.
ProfilerApi fakeProfilerApi();
RangeApi fakeRangeApi();

}  // namespace jitscope::collector
