#pragma once

// In this order: the second needs what the first declares.
#include <cupti_profiler_target.h>
// clang-format off
#include <cupti_profiler_host.h>
#include <cupti_pmsampling.h>
#include <cupti_target.h>
// clang-format on

#include <string>

#include "trace/result.h"

namespace jitscope::collector {

/// The functions of CUPTI's counters that are called. They are apart from the rest since the first
/// of them brings in a library of 32 MB.
struct ProfilerApi {
  decltype(&::cuptiProfilerInitialize) initialize = nullptr;
  decltype(&::cuptiDeviceGetChipName) getChipName = nullptr;
  decltype(&::cuptiProfilerHostInitialize) hostInitialize = nullptr;
  decltype(&::cuptiProfilerHostDeinitialize) hostDeinitialize = nullptr;
  decltype(&::cuptiProfilerHostConfigAddMetrics) addMetrics = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImageSize) getConfigSize = nullptr;
  decltype(&::cuptiProfilerHostGetConfigImage) getConfig = nullptr;
  decltype(&::cuptiProfilerHostGetNumOfPasses) getPassCount = nullptr;
  decltype(&::cuptiProfilerHostEvaluateToGpuValues) evaluate = nullptr;
  decltype(&::cuptiPmSamplingGetCounterAvailability) getAvailability = nullptr;
  decltype(&::cuptiPmSamplingEnable) enable = nullptr;
  decltype(&::cuptiPmSamplingDisable) disable = nullptr;
  decltype(&::cuptiPmSamplingSetConfig) setConfig = nullptr;
  decltype(&::cuptiPmSamplingGetCounterDataSize) getDataSize = nullptr;
  decltype(&::cuptiPmSamplingCounterDataImageInitialize) initializeData = nullptr;
  decltype(&::cuptiPmSamplingStart) start = nullptr;
  decltype(&::cuptiPmSamplingStop) stop = nullptr;
  decltype(&::cuptiPmSamplingDecodeData) decode = nullptr;
  decltype(&::cuptiPmSamplingGetCounterDataInfo) getDataInfo = nullptr;
  decltype(&::cuptiPmSamplingCounterDataGetSampleInfo) getSampleInfo = nullptr;
};

/// Looks them up in the CUPTI at `path`, which is open already where a program is recorded.
trace::Result<ProfilerApi> openProfiler(const std::string& path);

}  // namespace jitscope::collector
