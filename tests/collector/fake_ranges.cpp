#include "tests/collector/fake_ranges.h"

#include <cupti.h>

#include <cstring>

#include "tests/collector/fake_cupti.h"

namespace jitscope::collector {
namespace {

using Counter = FakeRanges::Counter;

CUptiResult rangeAnswer(const char* function) {
  const auto found = fakeRanges().failures.find(function);
  return found == fakeRanges().failures.end() ? CUPTI_SUCCESS : found->second;
}

// The handle of a counter is its number, from 1.
template <class Parameters>
Counter& counterOf(const Parameters& parameters) {
  return fakeRanges().counters.at(reinterpret_cast<uintptr_t>(parameters.pRangeProfilerObject) - 1);
}

/// An image says whose it is.
struct Image {
  uint64_t counter = 0;
};

const Counter& counterOfImage(const uint8_t* bytes) {
  Image image;
  std::memcpy(&image, bytes, sizeof image);
  return fakeRanges().counters.at(image.counter - 1);
}

CUptiResult initialize(CUpti_Profiler_Initialize_Params*) {
  ++fakeRanges().initialized;
  return rangeAnswer("cuptiProfilerInitialize");
}

CUptiResult getChipName(CUpti_Device_GetChipName_Params* parameters) {
  parameters->pChipName = "GH100";
  return rangeAnswer("cuptiDeviceGetChipName");
}

CUptiResult hostInitialize(CUpti_Profiler_Host_Initialize_Params* parameters) {
  static char host = 0;
  parameters->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(&host);
  if (parameters->profilerType != CUPTI_PROFILER_TYPE_RANGE_PROFILER)
    return CUPTI_ERROR_INVALID_PARAMETER;
  return rangeAnswer("cuptiProfilerHostInitialize");
}

CUptiResult hostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params*) { return CUPTI_SUCCESS; }

CUptiResult addMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* parameters) {
  fakeRanges().metrics.assign(parameters->ppMetricNames,
                              parameters->ppMetricNames + parameters->numMetrics);
  return rangeAnswer("cuptiProfilerHostConfigAddMetrics");
}

CUptiResult getConfigSize(CUpti_Profiler_Host_GetConfigImageSize_Params* parameters) {
  parameters->configImageSize = 8;
  return rangeAnswer("cuptiProfilerHostGetConfigImageSize");
}

CUptiResult getConfig(CUpti_Profiler_Host_GetConfigImage_Params*) {
  return rangeAnswer("cuptiProfilerHostGetConfigImage");
}

CUptiResult getPassCount(CUpti_Profiler_Host_GetNumOfPasses_Params* parameters) {
  parameters->numOfPasses = fakeRanges().passes;
  return rangeAnswer("cuptiProfilerHostGetNumOfPasses");
}

CUptiResult evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params* parameters) {
  const auto& [read, written] =
      counterOfImage(parameters->pCounterDataImage).decoded.at(parameters->rangeIndex);
  parameters->pMetricValues[0] = read;
  parameters->pMetricValues[1] = written;
  return rangeAnswer("cuptiProfilerHostEvaluateToGpuValues");
}

CUptiResult getAvailability(CUpti_Profiler_GetCounterAvailability_Params* parameters) {
  parameters->counterAvailabilityImageSize = 4;
  return rangeAnswer("cuptiProfilerGetCounterAvailability");
}

CUptiResult enable(CUpti_RangeProfiler_Enable_Params* parameters) {
  const CUptiResult result = rangeAnswer("cuptiRangeProfilerEnable");
  if (result != CUPTI_SUCCESS) return result;
  fakeRanges().counters.push_back({.context = parameters->ctx, .running = {}, .decoded = {}});
  parameters->pRangeProfilerObject =
      reinterpret_cast<CUpti_RangeProfiler_Object*>(fakeRanges().counters.size());
  return result;
}

CUptiResult disable(CUpti_RangeProfiler_Disable_Params* parameters) {
  counterOf(*parameters).isDisabled = true;
  return rangeAnswer("cuptiRangeProfilerDisable");
}

CUptiResult setConfig(CUpti_RangeProfiler_SetConfig_Params* parameters) {
  const Image image{reinterpret_cast<uintptr_t>(parameters->pRangeProfilerObject)};
  std::memcpy(parameters->pCounterDataImage, &image, sizeof image);
  return rangeAnswer("cuptiRangeProfilerSetConfig");
}

CUptiResult getDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* parameters) {
  parameters->counterDataSize = sizeof(Image);
  return rangeAnswer("cuptiRangeProfilerGetCounterDataSize");
}

CUptiResult initializeData(CUpti_RangeProfiler_CounterDataImage_Initialize_Params*) {
  return rangeAnswer("cuptiRangeProfilerCounterDataImageInitialize");
}

CUptiResult start(CUpti_RangeProfiler_Start_Params* parameters) {
  const CUptiResult result = rangeAnswer("cuptiRangeProfilerStart");
  if (result != CUPTI_SUCCESS) return result;
  Counter& counter = counterOf(*parameters);
  counter.isStarted = true;
  ++counter.starts;
  return result;
}

CUptiResult stop(CUpti_RangeProfiler_Stop_Params* parameters) {
  counterOf(*parameters).isStarted = false;
  return rangeAnswer("cuptiRangeProfilerStop");
}

CUptiResult pushRange(CUpti_RangeProfiler_PushRange_Params*) {
  return rangeAnswer("cuptiRangeProfilerPushRange");
}

CUptiResult popRange(CUpti_RangeProfiler_PopRange_Params*) {
  return rangeAnswer("cuptiRangeProfilerPopRange");
}

CUptiResult decode(CUpti_RangeProfiler_DecodeData_Params* parameters) {
  Counter& counter = counterOf(*parameters);
  counter.decoded = std::move(counter.running);
  counter.running.clear();
  if (fakeRanges().losesRanges && !counter.decoded.empty()) counter.decoded.pop_back();
  return rangeAnswer("cuptiRangeProfilerDecodeData");
}

CUptiResult getDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* parameters) {
  parameters->numTotalRanges = counterOfImage(parameters->pCounterDataImage).decoded.size();
  return rangeAnswer("cuptiRangeProfilerGetCounterDataInfo");
}

/// Calls the subscriber before and after what `run` does.
template <class Run>
void callAround(CUpti_CallbackId id, const FakeLaunch& launch, const void* parameters, Run run) {
  FakeCupti& fake = fakeCupti();
  uint64_t kept = 0;
  CUresult result = launch.result;
  CUpti_CallbackData call{};
  call.functionParams = parameters;
  call.functionReturnValue = &result;
  call.symbolName = launch.kernel;
  call.context = launch.context;
  call.contextUid = 1;
  call.correlationData = &kept;
  const bool isFollowed = fake.followedCalls.contains(id);
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    call.callbackSite = site;
    if (isFollowed) fake.callback(fake.userData, CUPTI_CB_DOMAIN_DRIVER_API, id, &call);
    if (site == CUPTI_API_ENTER) run();
  }
}

}  // namespace

void FakeRanges::run(CUcontext context, double read, double written) {
  for (Counter& counter : counters) {
    if (counter.context == context && counter.isStarted)
      counter.running.emplace_back(read, written);
  }
}

void FakeRanges::launch(const FakeLaunch& launch) {
  cuLaunchKernel_params parameters{};
  parameters.gridDimX = launch.grid;
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 256;
  parameters.blockDimY = parameters.blockDimZ = 1;
  // A stream with that handle captures.
  if (!launch.runs) parameters.hStream = reinterpret_cast<CUstream>(uintptr_t{7});
  callAround(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, launch, &parameters, [&] {
    if (launch.runs && launch.result == CUDA_SUCCESS)
      run(launch.context, launch.read, launch.written);
  });
}

void FakeRanges::launchWithConfig(const FakeLaunch& launch) {
  CUlaunchConfig config{};
  config.gridDimX = launch.grid;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 256;
  config.blockDimY = config.blockDimZ = 1;
  cuLaunchKernelEx_params parameters{};
  parameters.config = &config;
  callAround(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, launch, &parameters,
             [&] { run(launch.context, launch.read, launch.written); });
}

void FakeRanges::launchGraph(CUcontext context, int kernels) {
  cuGraphLaunch_params parameters{};
  callAround(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, {.context = context}, &parameters, [&] {
    for (int i = 0; i < kernels; ++i) run(context, 1, 1);
  });
}

FakeRanges& fakeRanges() {
  static auto& fake = *new FakeRanges;
  return fake;
}

void resetFakeRanges() { fakeRanges() = {}; }

ProfilerApi fakeProfilerApi() {
  ProfilerApi api;
  api.initialize = initialize;
  api.getChipName = getChipName;
  api.hostInitialize = hostInitialize;
  api.hostDeinitialize = hostDeinitialize;
  api.addMetrics = addMetrics;
  api.getConfigSize = getConfigSize;
  api.getConfig = getConfig;
  api.getPassCount = getPassCount;
  api.evaluate = evaluate;
  return api;
}

RangeApi fakeRangeApi() {
  return {.getAvailability = getAvailability,
          .enable = enable,
          .disable = disable,
          .setConfig = setConfig,
          .getDataSize = getDataSize,
          .initializeData = initializeData,
          .start = start,
          .stop = stop,
          .pushRange = pushRange,
          .popRange = popRange,
          .decode = decode,
          .getDataInfo = getDataInfo};
}

}  // namespace jitscope::collector
