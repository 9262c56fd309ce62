// The fake CUPTI as the library libcupti.so, and what the program that plays CUDA calls to have
// work done: a launch that at once is a call and a kernel, which runs then or a minute later.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/collector/fake_cupti.h"
#include "tests/collector/fake_ranges.h"
#include "trace/clock.h"

using jitscope::collector::CuptiApi;
using jitscope::collector::fakeCupti;
using jitscope::collector::fakeCuptiApi;
using jitscope::collector::fakeRanges;
using jitscope::collector::ProfilerApi;
using jitscope::collector::RangeApi;

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {
const CuptiApi& api() {
  static const CuptiApi fake = fakeCuptiApi();
  return fake;
}
}  // namespace

// The names and arguments of CUPTI, whose headers declare them.
CUptiResult cuptiGetVersion(uint32_t* version) {
  const char* older = std::getenv("FAKE_CUPTI_VERSION");
  if (older) fakeCupti().version = static_cast<uint32_t>(std::atol(older));
  return api().getVersion(version);
}
CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  return api().getResultString(result, text);
}
CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                              void* userData, CUpti_SubscriberParams* parameters) {
  const char* owner = std::getenv("FAKE_CUPTI_OWNER");
  if (owner) fakeCupti().owner = owner;
  return api().subscribe(subscriber, callback, userData, parameters);
}
CUptiResult cuptiEnableCallback(uint32_t isOn, CUpti_SubscriberHandle subscriber,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  return api().enableCallback(isOn, subscriber, domain, id);
}
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
  return api().getCallbackName(domain, id, name);
}
CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  return api().setThreadIdType(type);
}
CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t* size,
                                      void* value) {
  return api().activitySetAttribute(attribute, size, value);
}
CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc clock) {
  return api().registerTimestampCallback(clock);
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  return api().activityRegisterCallbacks(request, complete);
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) { return api().activityEnable(kind); }
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId call, uint8_t isOn) {
  return api().activityEnableRuntimeApi(call, isOn);
}
CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId call, uint8_t isOn) {
  return api().activityEnableDriverApi(call, isOn);
}
CUptiResult cuptiActivityFlushAll(uint32_t flags) { return api().activityFlushAll(flags); }
CUptiResult cuptiActivityGetNextRecord(uint8_t* bytes, size_t size, CUpti_Activity** record) {
  return api().activityGetNextRecord(bytes, size, record);
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t* dropped) {
  return api().activityGetNumDroppedRecords(context, stream, dropped);
}
CUptiResult cuptiGetGraphNodeId(CUgraphNode node, uint64_t* id) {
  return api().getGraphNodeId(node, id);
}
CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t* device) {
  return api().getDeviceId(context, device);
}
CUptiResult cuptiGetGraphId(CUgraph graph, uint32_t* id) { return api().getGraphId(graph, id); }

// Counters, whose calls may fail: FAKE_CUPTI_FAILS is the name of one.
const ProfilerApi& counterApi() {
  static const ProfilerApi fake = jitscope::collector::fakeProfilerApi();
  const char* failing = std::getenv("FAKE_CUPTI_FAILS");
  if (failing) fakeRanges().failures[failing] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  return fake;
}
const RangeApi& rangeApi() {
  static const RangeApi fake = jitscope::collector::fakeRangeApi();
  return fake;
}
#define FAKED(api, function, Parameters, member) \
  CUptiResult function(Parameters* parameters) { return api().member(parameters); }
FAKED(counterApi, cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params, initialize)
FAKED(counterApi, cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params, getChipName)
FAKED(counterApi, cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params,
      hostInitialize)
FAKED(counterApi, cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params,
      hostDeinitialize)
FAKED(counterApi, cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params,
      addMetrics)
FAKED(counterApi, cuptiProfilerHostGetConfigImageSize,
      CUpti_Profiler_Host_GetConfigImageSize_Params, getConfigSize)
FAKED(counterApi, cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params,
      getConfig)
FAKED(counterApi, cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params,
      getPassCount)
FAKED(counterApi, cuptiProfilerHostEvaluateToGpuValues,
      CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate)
FAKED(rangeApi, cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params,
      getAvailability)
FAKED(rangeApi, cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params, enable)
FAKED(rangeApi, cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params, disable)
FAKED(rangeApi, cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params, setConfig)
FAKED(rangeApi, cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params,
      getDataSize)
FAKED(rangeApi, cuptiRangeProfilerCounterDataImageInitialize,
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initializeData)
FAKED(rangeApi, cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params, start)
FAKED(rangeApi, cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params, stop)
FAKED(rangeApi, cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params, pushRange)
FAKED(rangeApi, cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params, popRange)
FAKED(rangeApi, cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params, decode)
FAKED(rangeApi, cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params,
      getDataInfo)
// Samples are not played: they are looked up all the same.
#define UNPLAYED(function, Parameters) \
  CUptiResult function(Parameters*) { return CUPTI_ERROR_NOT_SUPPORTED; }
UNPLAYED(cuptiPmSamplingGetCounterAvailability, CUpti_PmSampling_GetCounterAvailability_Params)
UNPLAYED(cuptiPmSamplingEnable, CUpti_PmSampling_Enable_Params)
UNPLAYED(cuptiPmSamplingDisable, CUpti_PmSampling_Disable_Params)
UNPLAYED(cuptiPmSamplingSetConfig, CUpti_PmSampling_SetConfig_Params)
UNPLAYED(cuptiPmSamplingGetCounterDataSize, CUpti_PmSampling_GetCounterDataSize_Params)
UNPLAYED(cuptiPmSamplingCounterDataImageInitialize,
         CUpti_PmSampling_CounterDataImage_Initialize_Params)
UNPLAYED(cuptiPmSamplingStart, CUpti_PmSampling_Start_Params)
UNPLAYED(cuptiPmSamplingStop, CUpti_PmSampling_Stop_Params)
UNPLAYED(cuptiPmSamplingDecodeData, CUpti_PmSampling_DecodeData_Params)
UNPLAYED(cuptiPmSamplingGetCounterDataInfo, CUpti_PmSampling_GetCounterDataInfo_Params)
UNPLAYED(cuptiPmSamplingCounterDataGetSampleInfo, CUpti_PmSampling_CounterData_GetSampleInfo_Params)

// A launch as the range profiler sees it: what it reads is by its name, what it writes by its
// number.
static void launchCounted(const char* kernel) {
  static int launches = 0;
  const auto context = reinterpret_cast<CUcontext>(uintptr_t{1});
  const bool isFirst = launches++ == 0;
  if (isFirst && fakeCupti().resources.contains(CUPTI_CBID_RESOURCE_CONTEXT_CREATED))
    fakeCupti().announceContext(context, true);
  fakeRanges().launch({.context = context,
                       .kernel = kernel,
                       .grid = 4,
                       .read = kernel[0] == '_' ? 1000.0 : 2000.0,
                       .written = static_cast<double>(launches)});
}

EXPORTED void jitscope_fake_cuda_launch(const char* kernel, uint32_t correlation, int isLate) {
  launchCounted(kernel);
  const auto now = static_cast<uint64_t>(jitscope::trace::nowNs());
  fakeCupti().add(jitscope::collector::fakeCall(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                                                now, now + 1000, correlation,
                                                static_cast<uint32_t>(syscall(SYS_gettid))));
  constexpr uint64_t kMinuteNs = 60'000'000'000;
  const uint64_t start = now + (isLate ? kMinuteNs : 2000);
  fakeCupti().add(jitscope::collector::fakeKernel(kernel, start, start + 3000, correlation));
}

EXPORTED void jitscope_fake_cuda_launch_graph(int kernels, uint32_t correlation) {
  const auto now = static_cast<uint64_t>(jitscope::trace::nowNs());
  for (int i = 0; i < kernels; ++i) {
    auto kernel = jitscope::collector::fakeKernel("node", now + 2000, now + 3000, correlation);
    kernel.graphNodeId = static_cast<uint64_t>(i) + 1;
    fakeCupti().add(kernel);
  }
  fakeRanges().launchGraph(reinterpret_cast<CUcontext>(uintptr_t{1}), kernels);
}

EXPORTED void jitscope_fake_cuda_profiler(int isStart) {
  fakeCupti().announceProfiler(isStart != 0);
}
