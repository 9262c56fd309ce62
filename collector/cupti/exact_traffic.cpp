#include "collector/cupti/exact_traffic.h"

#include <unistd.h>

#include <exception>
#include <string>

#include "collector/cupti/counter_refusal.h"
#include "collector/cupti/launch_call.h"
#include "collector/cupti/subscription.h"
#include "collector/inject/errno_guard.h"

namespace jitscope::collector {
namespace {

/// Gives a thread of the program its context back, when this goes.
class CurrentContext {
 public:
  explicit CurrentContext(const DriverApi& driver) : driver_(driver) {
    isKnown_ = driver.getCurrent && driver.getCurrent(&context_) == CUDA_SUCCESS;
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext() {
    if (isKnown_ && driver_.setCurrent) driver_.setCurrent(context_);
  }

 private:
  const DriverApi& driver_;
  CUcontext context_ = nullptr;
  bool isKnown_ = false;
};

}  // namespace

ExactTraffic::ExactTraffic(const CountingApi& api, trace::EventSink& sink)
    : api_(api), rows_(sink), pid_(getpid()) {}

trace::Result<ExactTraffic*> ExactTraffic::start(const CountingApi& api, trace::EventSink& sink) {
  std::unique_ptr<ExactTraffic> traffic(new ExactTraffic(api, sink));
  if (const auto subscribed = traffic->subscribe(); !subscribed) return subscribed.error();
  return traffic.release();
}

trace::Result<void> ExactTraffic::subscribe() {
  const auto subscriber = subscribeTo(api_.cupti, onCallback, this);
  if (!subscriber) return subscriber.error();
  const auto follow = [&](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    const CUptiResult result = api_.cupti.enableCallback(1, *subscriber, domain, id);
    if (result == CUPTI_SUCCESS) return;
    rows_.tellUncounted(describeFailure(api_.cupti, "cuptiEnableCallback", result));
  };
  follow(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  follow(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  for (const CUpti_CallbackId id : launchCalls()) follow(CUPTI_CB_DOMAIN_DRIVER_API, id);
  return {};
}

void ExactTraffic::onCallback(void* traffic, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* details) {
  const ErrnoGuard errnoGuard;
  auto& self = *static_cast<ExactTraffic*>(traffic);
  try {
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      self.takeResource(id, static_cast<const CUpti_ResourceData*>(details)->context);
    } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      self.takeLaunch(id, *static_cast<const CUpti_CallbackData*>(details));
    }
  } catch (const std::exception&) {
    // No memory: what was launched is not told, so that the counts are of another number.
  }
}

void ExactTraffic::takeResource(CUpti_CallbackId id, CUcontext context) {
  // A context that CUPTI makes for itself meanwhile is none of the program's.
  static thread_local bool isBeginning = false;
  if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED && !isBeginning) {
    isBeginning = true;
    begin(context);
    isBeginning = false;
  }
  if (id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) end(context);
}

void ExactTraffic::begin(CUcontext context) {
  if (getpid() != pid_) return;
  uint32_t device = 0;
  CUptiResult result = api_.cupti.getDeviceId(context, &device);
  if (result != CUPTI_SUCCESS) {
    return rows_.tellUncounted(describeFailure(api_.cupti, "cuptiGetDeviceId", result));
  }
  result = initializeOnce();
  if (result != CUPTI_SUCCESS) return rows_.tellUncounted(describeRefusal(result));
  RangeCounter counter(api_.profiler, api_.ranges);
  if (const auto begun = counter.begin(context, device); !begun) {
    return rows_.tellUncounted(begun.error().text);
  }
  auto counted = std::make_shared<CountedContext>(device, std::move(counter), rows_);
  counted->start();
  const std::lock_guard lock(mutex_);
  contexts_[context] = std::move(counted);
}

/// CUPTI does not count how often it is initialised.
CUptiResult ExactTraffic::initializeOnce() {
  const std::lock_guard lock(mutex_);
  if (!initialized_) {
    CUpti_Profiler_Initialize_Params begin{CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    initialized_ = api_.profiler.initialize(&begin);
  }
  return *initialized_;
}

void ExactTraffic::end(CUcontext context) {
  std::shared_ptr<CountedContext> ended = counted(context);
  if (!ended) return;
  ended->end();
  const std::lock_guard lock(mutex_);
  contexts_.erase(context);
}

std::shared_ptr<CountedContext> ExactTraffic::counted(CUcontext context) {
  if (getpid() != pid_) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = contexts_.find(context);
  return found == contexts_.end() ? nullptr : found->second;
}

bool ExactTraffic::isCapturing(CUstream stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!api_.driver.isCapturing) return false;
  return api_.driver.isCapturing(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void ExactTraffic::takeLaunch(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  const std::optional<LaunchCall> launch = launchOf(id, call);
  const std::shared_ptr<CountedContext> context = launch ? counted(call.context) : nullptr;
  if (!context) return;
  // What is captured does not run, and what it becomes runs within a graph.
  if (call.callbackSite == CUPTI_API_ENTER) {
    const bool isRun = !isCapturing(launch->stream);
    *call.correlationData = isRun ? 1 : 0;
    if (isRun) context->enter(*launch, call.contextUid);
  } else if (*call.correlationData == 1) {
    const auto* result = static_cast<const CUresult*>(call.functionReturnValue);
    context->leave(*launch, result && *result == CUDA_SUCCESS);
  }
}

void ExactTraffic::quiet() noexcept {
  if (getpid() != pid_) return;
  try {
    std::map<CUcontext, std::shared_ptr<CountedContext>> ended;
    {
      const std::lock_guard lock(mutex_);
      ended = contexts_;  // they stay: a launch under way looks for its own when it comes back
    }
    const CurrentContext programs(api_.driver);
    for (const auto& [context, counted] : ended) {
      if (api_.driver.setCurrent) api_.driver.setCurrent(context);
      counted->end();
    }
  } catch (const std::exception&) {
    // No memory: the last counts are lost.
  }
}

}  // namespace jitscope::collector
