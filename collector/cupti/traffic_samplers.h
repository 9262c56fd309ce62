#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "collector/cupti/counter_source.h"
#include "collector/cupti/traffic_sampler.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// A sampler for each device that the program uses. Any thread.
class TrafficSamplers {
 public:
  /// Makes what counts on one device; empty: nothing is sampled.
  using MakeSource = std::function<std::unique_ptr<CounterSource>()>;

  TrafficSamplers(trace::EventSink& sink, MakeSource makeSource)
      : sink_(sink), makeSource_(std::move(makeSource)) {}

  /// Starts sampling `device` when that has not been done.
  void use(uint32_t device);

  /// Ends all of them; none is started any more.
  void stop() noexcept;

 private:
  trace::EventSink& sink_;
  const MakeSource makeSource_;
  std::mutex mutex_;
  std::map<uint32_t, TrafficSampler*> byDevice_;
  bool isStopped_ = false;
};

}  // namespace jitscope::collector
