// The fake CUPTI as the library libcupti.so, and what the program that plays CUDA calls to have
// work done: a launch that at once is a call and a kernel, which runs then or a minute later.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/collector/fake_cupti.h"
#include "trace/clock.h"

using jitscope::collector::CuptiApi;
using jitscope::collector::fakeCupti;
using jitscope::collector::fakeCuptiApi;

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

EXPORTED void jitscope_fake_cuda_launch(const char* kernel, uint32_t correlation, int isLate) {
  const auto now = static_cast<uint64_t>(jitscope::trace::nowNs());
  fakeCupti().add(jitscope::collector::fakeCall(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                                                now, now + 1000, correlation,
                                                static_cast<uint32_t>(syscall(SYS_gettid))));
  constexpr uint64_t kMinuteNs = 60'000'000'000;
  const uint64_t start = now + (isLate ? kMinuteNs : 2000);
  fakeCupti().add(jitscope::collector::fakeKernel(kernel, start, start + 3000, correlation));
}

EXPORTED void jitscope_fake_cuda_profiler(int isStart) {
  fakeCupti().announceProfiler(isStart != 0);
}
