#include "tests/collector/fake_cupti.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

namespace jitscope::collector {
namespace {

std::atomic<FakeCupti*> current{nullptr};

CUptiResult answer(const char* function) {
  FakeCupti& fake = fakeCupti();
  const std::lock_guard lock(fake.mutex);
  const auto found = fake.failures.find(function);
  return found == fake.failures.end() ? CUPTI_SUCCESS : found->second;
}

size_t sizeOf(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return sizeof(CUpti_ActivityGraphTrace2);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return sizeof(CUpti_ActivityDevice5);
    default:
      return sizeof(CUpti_ActivityMarker2);
  }
}

CUptiResult getVersion(uint32_t* version) {
  *version = fakeCupti().version;
  return CUPTI_SUCCESS;
}

CUptiResult getResultString(CUptiResult result, const char** text) {
  *text = result == CUPTI_ERROR_OUT_OF_MEMORY ? "CUPTI_ERROR_OUT_OF_MEMORY" : "CUPTI_ERROR_UNKNOWN";
  return CUPTI_SUCCESS;
}

CUptiResult subscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc callback, void* userData,
                      CUpti_SubscriberParams* parameters) {
  FakeCupti& fake = fakeCupti();
  if (!fake.owner.empty()) {
    std::strncpy(parameters->oldSubscriberName, fake.owner.c_str(), parameters->oldSubscriberSize);
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  }
  fake.callback = callback;
  fake.userData = userData;
  return answer("cuptiSubscribe_v2");
}

CUptiResult enableCallback(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                           CUpti_CallbackId id) {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) fakeCupti().resources.insert(id);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) fakeCupti().followedCalls.insert(id);
  return answer("cuptiEnableCallback");
}

CUptiResult getCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
  const bool isLaunch = domain == CUPTI_CB_DOMAIN_RUNTIME_API &&
                        id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
  *name = isLaunch ? "cudaLaunchKernel_v7000" : nullptr;
  return isLaunch ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult setThreadIdType(CUpti_ActivityThreadIdType) { return answer("cuptiSetThreadIdType"); }

CUptiResult setAttribute(CUpti_ActivityAttribute, size_t*, void*) {
  return answer("cuptiActivitySetAttribute");
}

CUptiResult registerTimestampCallback(CUpti_TimestampCallbackFunc clock) {
  fakeCupti().clock = clock;
  return answer("cuptiActivityRegisterTimestampCallback");
}

CUptiResult registerCallbacks(CUpti_BuffersCallbackRequestFunc request,
                              CUpti_BuffersCallbackCompleteFunc complete) {
  fakeCupti().request = request;
  fakeCupti().complete = complete;
  return answer("cuptiActivityRegisterCallbacks");
}

CUptiResult enable(CUpti_ActivityKind kind) {
  const CUptiResult result = answer("cuptiActivityEnable");
  if (result == CUPTI_SUCCESS) fakeCupti().kinds.insert(kind);
  return result;
}

CUptiResult enableRuntimeApi(CUpti_CallbackId call, uint8_t) {
  fakeCupti().runtimeCalls.insert(call);
  return answer("cuptiActivityEnableRuntimeApi");
}

CUptiResult enableDriverApi(CUpti_CallbackId call, uint8_t) {
  fakeCupti().driverCalls.insert(call);
  return answer("cuptiActivityEnableDriverApi");
}

/// Fills one buffer with as many records as fit; false when there is no buffer.
bool fillBuffer(FakeCupti& fake, std::deque<std::vector<uint8_t>>& records) {
  uint8_t* bytes = nullptr;
  size_t sizeBytes = 0;
  size_t most = 0;
  fake.request(&bytes, &sizeBytes, &most);
  ++fake.bufferRequests;
  if (!bytes) return false;
  fake.buffers.insert(bytes);
  size_t used = 0;
  while (!records.empty() && used + records.front().size() <= sizeBytes) {
    std::memcpy(bytes + used, records.front().data(), records.front().size());
    used += records.front().size();
    records.pop_front();
  }
  fake.complete(nullptr, 0, bytes, sizeBytes, used);
  return true;
}

CUptiResult flushAll(uint32_t) {
  FakeCupti& fake = fakeCupti();
  std::deque<std::vector<uint8_t>> records;
  {
    const std::lock_guard lock(fake.mutex);
    records.swap(fake.waiting);
  }
  while (!records.empty()) {
    if (fillBuffer(fake, records)) continue;
    const std::lock_guard lock(fake.mutex);
    fake.dropped += records.size();
    break;
  }
  return answer("cuptiActivityFlushAll");
}

CUptiResult nextRecord(uint8_t* bytes, size_t sizeBytes, CUpti_Activity** record) {
  uint8_t* next = *record ? reinterpret_cast<uint8_t*>(*record) + sizeOf((*record)->kind) : bytes;
  if (next >= bytes + sizeBytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

CUptiResult takeDropped(CUcontext, uint32_t, size_t* dropped) {
  FakeCupti& fake = fakeCupti();
  const std::lock_guard lock(fake.mutex);
  *dropped = fake.dropped;
  fake.dropped = 0;
  return CUPTI_SUCCESS;
}

// The handle of a node is its number.
CUptiResult getGraphNodeId(CUgraphNode node, uint64_t* id) {
  *id = reinterpret_cast<uint64_t>(node);
  return answer("cuptiGetGraphNodeId");
}

CUptiResult getGraphId(CUgraph graph, uint32_t* id) {
  *id = static_cast<uint32_t>(reinterpret_cast<uint64_t>(graph));
  return answer("cuptiGetGraphId");
}

CUptiResult getDeviceId(CUcontext, uint32_t* device) {
  *device = fakeCupti().device;
  return answer("cuptiGetDeviceId");
}

void call(CUpti_CallbackId id, CUcontext context, const CUpti_GraphData& graph) {
  CUpti_GraphData copy = graph;
  CUpti_ResourceData resource{};
  resource.context = context;
  resource.resourceDescriptor = &copy;
  fakeCupti().callback(fakeCupti().userData, CUPTI_CB_DOMAIN_RESOURCE, id, &resource);
}

}  // namespace

void FakeCupti::announceNode(uint64_t node) {
  CUpti_GraphData graph{};
  graph.node = reinterpret_cast<CUgraphNode>(node);
  call(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, nullptr, graph);
}

void FakeCupti::announceClone(uint64_t node, uint64_t original) {
  announceNode(node);  // as CUPTI does
  CUpti_GraphData graph{};
  graph.node = reinterpret_cast<CUgraphNode>(node);
  graph.originalNode = reinterpret_cast<CUgraphNode>(original);
  call(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, nullptr, graph);
}

void FakeCupti::announceGraphEnd(uint32_t graph) {
  CUpti_GraphData details{};
  details.graph = reinterpret_cast<CUgraph>(uint64_t{graph});
  call(CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING, nullptr, details);
}

void FakeCupti::announceContext(CUcontext context, bool isCreated) {
  call(isCreated ? CUPTI_CBID_RESOURCE_CONTEXT_CREATED
                 : CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
       context, {});
}

void FakeCupti::announceProfiler(bool isStart) {
  const uint32_t id =
      isStart ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop;
  if (!followedCalls.contains(id)) return;
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    CUpti_CallbackData details{};
    details.callbackSite = site;
    callback(userData, CUPTI_CB_DOMAIN_DRIVER_API, id, &details);
  }
}

FakeCupti& fakeCupti() {
  if (!current) current = new FakeCupti;
  return *current;
}

// The one before stays: a tracer's thread may still look at it.
void resetFakeCupti() {
  static auto& kept = *new std::vector<std::unique_ptr<FakeCupti>>;
  if (FakeCupti* const before = current) kept.emplace_back(before);
  current = new FakeCupti;
}

CuptiApi fakeCuptiApi() {
  return {.getVersion = getVersion,
          .getResultString = getResultString,
          .subscribe = subscribe,
          .enableCallback = enableCallback,
          .getCallbackName = getCallbackName,
          .setThreadIdType = setThreadIdType,
          .activitySetAttribute = setAttribute,
          .registerTimestampCallback = registerTimestampCallback,
          .activityRegisterCallbacks = registerCallbacks,
          .activityEnable = enable,
          .activityEnableRuntimeApi = enableRuntimeApi,
          .activityEnableDriverApi = enableDriverApi,
          .activityFlushAll = flushAll,
          .activityGetNextRecord = nextRecord,
          .activityGetNumDroppedRecords = takeDropped,
          .getGraphNodeId = getGraphNodeId,
          .getGraphId = getGraphId,
          .getDeviceId = getDeviceId};
}

CUpti_ActivityKernel10 fakeKernel(const char* name, uint64_t start, uint64_t end,
                                  uint32_t correlation) {
  CUpti_ActivityKernel10 kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.name = name;
  kernel.start = start;
  kernel.end = end;
  kernel.correlationId = correlation;
  kernel.gridX = 4;
  kernel.gridY = kernel.gridZ = 1;
  kernel.blockX = 256;
  kernel.blockY = kernel.blockZ = 1;
  kernel.registersPerThread = 32;
  kernel.contextId = 1;
  kernel.streamId = 7;
  return kernel;
}

CUpti_ActivityAPI fakeCall(uint32_t call, uint64_t start, uint64_t end, uint32_t correlation,
                           uint32_t thread) {
  CUpti_ActivityAPI record{};
  record.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  record.cbid = call;
  record.start = start;
  record.end = end;
  record.correlationId = correlation;
  record.threadId = thread;
  return record;
}

}  // namespace jitscope::collector
