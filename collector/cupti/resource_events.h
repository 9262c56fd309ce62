#pragma once

#include <span>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/device_wait.h"
#include "collector/cupti/graph_nodes.h"
#include "collector/cupti/traffic_samplers.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// What CUPTI tells when the program makes or destroys something: contexts and graphs. Any thread.
class ResourceEvents {
 public:
  ResourceEvents(const CuptiApi& api, const DriverApi& driver, trace::EventSink& sink,
                 TrafficSamplers::MakeSource makeSource)
      : api_(api), nodes_(api, sink), work_(driver), samplers_(sink, std::move(makeSource)) {}

  /// The events that `take` is to be called with.
  static std::span<const CUpti_CallbackId> wanted();

  /// Takes one event, on the thread on which it happens. Nothing escapes, errno stays as it was.
  void take(CUpti_CallbackId id, const CUpti_ResourceData& resource) noexcept;

  GraphNodes& nodes() { return nodes_; }
  DeviceWait& work() { return work_; }
  TrafficSamplers& samplers() { return samplers_; }

 private:
  void begin(CUcontext context);

  const CuptiApi& api_;
  GraphNodes nodes_;
  DeviceWait work_;
  TrafficSamplers samplers_;
};

}  // namespace jitscope::collector
