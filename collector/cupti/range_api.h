#pragma once

// In this order: the second needs what the first declares.
#include <cupti_profiler_target.h>
// clang-format off
#include <cupti_range_profiler.h>
// clang-format on

#include <string>

#include "trace/result.h"

namespace jitscope::collector {

/// The functions of CUPTI's range profiler that are called, beside those of ProfilerApi.
struct RangeApi {
  decltype(&::cuptiProfilerGetCounterAvailability) getAvailability = nullptr;
  decltype(&::cuptiRangeProfilerEnable) enable = nullptr;
  decltype(&::cuptiRangeProfilerDisable) disable = nullptr;
  decltype(&::cuptiRangeProfilerSetConfig) setConfig = nullptr;
  decltype(&::cuptiRangeProfilerGetCounterDataSize) getDataSize = nullptr;
  decltype(&::cuptiRangeProfilerCounterDataImageInitialize) initializeData = nullptr;
  decltype(&::cuptiRangeProfilerStart) start = nullptr;
  decltype(&::cuptiRangeProfilerStop) stop = nullptr;
  decltype(&::cuptiRangeProfilerPushRange) pushRange = nullptr;
  decltype(&::cuptiRangeProfilerPopRange) popRange = nullptr;
  decltype(&::cuptiRangeProfilerDecodeData) decode = nullptr;
  decltype(&::cuptiRangeProfilerGetCounterDataInfo) getDataInfo = nullptr;
};

/// Looks them up in the CUPTI at `path`, which is open already where a program is recorded.
trace::Result<RangeApi> openRanges(const std::string& path);

}  // namespace jitscope::collector
