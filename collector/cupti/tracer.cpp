#include "collector/cupti/tracer.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "collector/cupti/subscription.h"
#include "collector/cupti/traced_calls.h"
#include "trace/clock.h"
#include "trace/quiet_thread.h"

namespace jitscope::collector {
namespace {

using trace::LossKind;

constexpr int kPeriodMs = 100;
constexpr int kGpuPatienceMs = 1000;
constexpr int kDecodePatienceMs = 2000;
constexpr int kReportPatienceMs = 1000;
/// Some 1.2 million kernel records that the GPU has not finished, or that were not decoded yet.
constexpr size_t kMostBufferBytes = size_t{256} << 20;

/// CUPTI's callbacks for buffers come without an argument of ours, so it stands here.
constinit std::atomic<Tracer*> running{nullptr};

int64_t monotonicMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

int64_t processorTimeNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// The clock of all rows, so that the GPU's need no mapping.
uint64_t timestamp() { return static_cast<uint64_t>(trace::nowNs()); }

}  // namespace

Tracer::Tracer(const CuptiApi& api, const DriverApi& driver, trace::EventSink& sink,
               const CuptiWishes& wishes, TrafficSamplers::MakeSource makeSource)
    : api_(api),
      sink_(sink),
      buffers_(kMostBufferBytes),
      decoder_(api_, sink, wishes),
      resources_(api_, driver, sink, std::move(makeSource)),
      wishes_(wishes),
      pid_(getpid()) {}

trace::Result<Tracer*> Tracer::start(const CuptiApi& api, const DriverApi& driver,
                                     trace::EventSink& sink, const CuptiWishes& wishes,
                                     TrafficSamplers::MakeSource makeSource) {
  std::unique_ptr<Tracer> tracer(new Tracer(api, driver, sink, wishes, std::move(makeSource)));
  if (const auto subscribed = tracer->subscribe(); !subscribed) return subscribed.error();
  running = tracer.get();
  tracer->enable();
  if (!trace::startQuietThread(work, tracer.get(), trace::kUsualStackBytes)) {
    // CUPTI has the callbacks by now, so the tracer has to stay; it only keeps nothing.
    (void)tracer.release();
    return trace::Error{"no thread could be started to take its records"};
  }
  return tracer.release();
}

trace::Result<void> Tracer::subscribe() {
  const auto subscriber = subscribeTo(api_, onCallback, this);
  if (!subscriber) return subscriber.error();
  for (const CUpti_CallbackId id : ResourceEvents::wanted()) {
    check("which operator captured a kernel", "cuptiEnableCallback",
          api_.enableCallback(1, *subscriber, CUPTI_CB_DOMAIN_RESOURCE, id));
  }
  if (!wishes_.onProfiler) return {};
  // What the runtime's functions of these names call as well.
  for (const CUpti_CallbackId id :
       {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop}) {
    check("where the program starts and stops the profiler", "cuptiEnableCallback",
          api_.enableCallback(1, *subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id));
  }
  return {};
}

// In this order: the clock and the kind of thread ids hold for records made after they are set, and
// an enabled kind asks for buffers at once.
void Tracer::enable() {
  size_t size = sizeof(size_t);
  size_t isZeroed = 1;
  check(
      "nothing", "cuptiActivitySetAttribute",
      api_.activitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &isZeroed));
  check("the right times", "cuptiActivityRegisterTimestampCallback",
        api_.registerTimestampCallback(timestamp));
  check("the threads of calls", "cuptiSetThreadIdType",
        api_.setThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM));
  check("anything", "cuptiActivityRegisterCallbacks",
        api_.activityRegisterCallbacks(requestBuffer, completeBuffer));

  const auto kind = [&](const char* what, CUpti_ActivityKind kind) {
    check(what, "cuptiActivityEnable", api_.activityEnable(kind));
  };
  kind("devices", CUPTI_ACTIVITY_KIND_DEVICE);
  // Before the first graph is instantiated: afterwards it crashes.
  if (!wishes_.wantsGraphNodes) kind("launches of graphs", CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  kind("kernels", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  kind("copies", CUPTI_ACTIVITY_KIND_MEMCPY);
  kind("copies between devices", CUPTI_ACTIVITY_KIND_MEMCPY2);
  kind("memsets", CUPTI_ACTIVITY_KIND_MEMSET);
  kind("waits", CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  kind("CUPTI's own time", CUPTI_ACTIVITY_KIND_OVERHEAD);
  for (const uint32_t call : tracedRuntimeCalls()) {
    check("some calls of CUDA", "cuptiActivityEnableRuntimeApi",
          api_.activityEnableRuntimeApi(call, 1));
  }
  for (const uint32_t call : tracedDriverCalls()) {
    check("some calls of CUDA", "cuptiActivityEnableDriverApi",
          api_.activityEnableDriverApi(call, 1));
  }
}

void Tracer::check(const char* what, const char* call, CUptiResult result) {
  if (result == CUPTI_SUCCESS) return;
  writeLoss(sink_, LossKind::kDropped,
            std::string(what) + " is not recorded: " + describeFailure(api_, call, result), 0);
}

void Tracer::requestBuffer(uint8_t** bytes, size_t* sizeBytes, size_t* mostRecords) {
  *bytes = running.load()->buffers_.handOut();
  *sizeBytes = *bytes ? ActivityBuffers::kBufferBytes : 0;
  *mostRecords = 0;  // as many as fit
}

void Tracer::completeBuffer(CUcontext, uint32_t, uint8_t* bytes, size_t, size_t validBytes) {
  running.load()->buffers_.takeBack(bytes, validBytes);
}

void Tracer::onCallback(void* tracer, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const void* details) {
  auto& self = *static_cast<Tracer*>(tracer);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    self.followProfiler(id, *static_cast<const CUpti_CallbackData*>(details));
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    self.resources_.take(id, *static_cast<const CUpti_ResourceData*>(details));
  }
}

// What the calls themselves take is in no window.
void Tracer::followProfiler(CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept {
  const bool isStart = id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart;
  const bool isStop = id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop;
  if (isStart && call.callbackSite == CUPTI_API_EXIT) wishes_.onProfiler(1);
  if (isStop && call.callbackSite == CUPTI_API_ENTER) wishes_.onProfiler(0);
}

void* Tracer::work(void* tracer) {
  pthread_setname_np(pthread_self(), "jitscope-gpu");
  auto& self = *static_cast<Tracer*>(tracer);
  for (;;) {
    try {
      const bool isDrained = self.decodeUntilDue();
      const bool isLast = self.report_.take();
      // What waits for a call does so until it is decoded, however many records stand before it.
      if (isDrained || isLast) self.decoder_.endRound(isLast);
      self.finishRound(isLast);
      if (isLast) self.report_.answer();
    } catch (const std::exception&) {
      // No memory for a record: it and the rest of its buffer are lost, the next may be kept.
    }
  }
}

/// Whether all that CUPTI had until now is decoded.
bool Tracer::decodeUntilDue() {
  const int64_t dueMs = monotonicMs() + kPeriodMs;
  for (int64_t leftMs = kPeriodMs; leftMs > 0; leftMs = dueMs - monotonicMs()) {
    const auto buffer = buffers_.next(static_cast<int>(leftMs));
    if (!buffer) return true;
    decoder_.decode(*buffer);
    buffers_.recycle(*buffer);
  }
  return false;
}

void Tracer::finishRound(bool isLast) {
  if (!isLast) api_.activityFlushAll(0);  // those that are full or complete
  size_t dropped = 0;
  if (api_.activityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS) {
    decoder_.losses().add(LossKind::kDropped, "records for which CUPTI had no memory",
                          static_cast<int64_t>(dropped));
  }
  decoder_.losses().add(LossKind::kDropped, "nodes of graphs, more than are remembered",
                        resources_.nodes().takeForgotten());
  decoder_.losses().write(sink_);
  if (isLast) {
    decoder_.losses().writeOverhead(sink_);
    writeLoss(sink_, LossKind::kOverhead, "time of the GPU recorder's own thread",
              processorTimeNs());
  }
}

void Tracer::quiet() noexcept {
  if (getpid() != pid_) return;
  resources_.samplers().stop();
  // The driver ends itself before this library does, and what it has not done by then is never
  // told.
  resources_.work().wait(kGpuPatienceMs);
  api_.activityFlushAll(0);
}

void Tracer::finish() noexcept {
  if (getpid() != pid_) return;  // CUPTI's threads stayed with the parent
  quiet();
  try {
    api_.activityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    buffers_.waitUntilIdle(kDecodePatienceMs);
    report_.ask();
    buffers_.wake();
    report_.waitForAnswer(kReportPatienceMs);
  } catch (const std::exception&) {
    // The last words are lost; what came before them is written.
  }
}

}  // namespace jitscope::collector
