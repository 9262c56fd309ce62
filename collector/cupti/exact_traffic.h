#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "collector/cupti/counted_context.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/device_wait.h"
#include "collector/cupti/profiler_api.h"
#include "collector/cupti/range_api.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// The parts of CUPTI and of the driver that count kernels' bytes.
struct CountingApi {
  CuptiApi cupti;
  ProfilerApi profiler;
  RangeApi ranges;
  DriverApi driver;
};

/// Counts the bytes of each kernel of the process, in place of recording what the GPU does: kernels
/// run one by one, and their times would say nothing. Never destroyed: CUPTI calls it until the
/// process ends.
class ExactTraffic {
 public:
  /// Takes CUPTI for this process. To be called while CUDA initialises. An error when another tool
  /// has CUPTI. Where counting is refused is told by a loss. `sink` must live until the process
  /// ends.
  static trace::Result<ExactTraffic*> start(const CountingApi& api, trace::EventSink& sink);

  /// Writes what was counted; nothing is counted afterwards. Does nothing in a forked child.
  void quiet() noexcept;

 private:
  ExactTraffic(const CountingApi& api, trace::EventSink& sink);

  static void onCallback(void* traffic, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* details);
  trace::Result<void> subscribe();
  void takeResource(CUpti_CallbackId id, CUcontext context);
  void takeLaunch(CUpti_CallbackId id, const CUpti_CallbackData& call);
  void begin(CUcontext context);
  CUptiResult initializeOnce();
  void end(CUcontext context);
  std::shared_ptr<CountedContext> counted(CUcontext context);
  bool isCapturing(CUstream stream) const;

  const CountingApi api_;
  LaunchRows rows_;
  const pid_t pid_;
  std::mutex mutex_;
  std::map<CUcontext, std::shared_ptr<CountedContext>> contexts_;
  std::optional<CUptiResult> initialized_;  ///< what CUPTI's profiler answered to being initialised
};

}  // namespace jitscope::collector
