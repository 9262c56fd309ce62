#pragma once

#include <sys/types.h>

#include "collector/cupti/activity_buffers.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/handshake.h"
#include "collector/cupti/record_decoder.h"
#include "collector/cupti/resource_events.h"
#include "collector/cupti_tracer.h"
#include "trace/result.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Records what the GPU does, from the start of CUDA to the end of the process. CUPTI's records
/// come back by a thread of the tracer's own at least ten times a second, so a process that is
/// killed loses little. Never destroyed: CUPTI's threads run until the process ends.
class Tracer {
 public:
  /// Takes CUPTI for this process and enables what is wanted. To be called while CUDA initialises:
  /// what is enabled later has no effect or crashes. An error when another tool has CUPTI, with
  /// that tool's name. `sink` must live until the process ends. A part that cannot be enabled is a
  /// loss, not an error.
  static trace::Result<Tracer*> start(const CuptiApi& api, const DriverApi& driver,
                                      trace::EventSink& sink, const CuptiWishes& wishes,
                                      TrafficSamplers::MakeSource makeSource);

  /// See CuptiQuiet and CuptiFinish.
  void quiet() noexcept;
  void finish() noexcept;

 private:
  Tracer(const CuptiApi& api, const DriverApi& driver, trace::EventSink& sink,
         const CuptiWishes& wishes, TrafficSamplers::MakeSource makeSource);

  static void requestBuffer(uint8_t** bytes, size_t* sizeBytes, size_t* mostRecords);
  static void completeBuffer(CUcontext, uint32_t, uint8_t* bytes, size_t, size_t validBytes);
  static void onCallback(void* tracer, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* details);
  static void* work(void* tracer);

  trace::Result<void> subscribe();
  void enable();
  void followProfiler(CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept;
  void check(const char* what, const char* call, CUptiResult result);
  bool decodeUntilDue();
  void finishRound(bool isLast);

  const CuptiApi api_;
  trace::EventSink& sink_;
  ActivityBuffers buffers_;
  RecordDecoder decoder_;  ///< the worker's
  ResourceEvents resources_;
  Handshake report_;  ///< the worker's last words
  const CuptiWishes wishes_;
  const pid_t pid_;
};

}  // namespace jitscope::collector
