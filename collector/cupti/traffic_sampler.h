#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "collector/cupti/counter_source.h"
#include "collector/cupti/handshake.h"
#include "collector/cupti/loss_counts.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Makes counter rows of the samples of one device: leaves out the first, which covers the time
/// before, finds the ones that are missing by the gaps between their times, and joins stretches in
/// which nothing was counted. For one thread.
class SampleRows {
 public:
  SampleRows(trace::EventSink& sink, uint32_t device, const std::vector<std::string>& names,
             int64_t intervalNs);

  void take(const CounterBatch& batch);

  /// Writes what is still held back and what was missing.
  void finish();

 private:
  void write(const CounterSample& sample);
  void writeQuiet();

  trace::EventSink& sink_;
  const uint32_t device_;
  const int64_t intervalNs_;
  std::vector<trace::StringId> metrics_;
  CounterSample quiet_;    ///< nothing was counted in it; endNs 0: there is none
  int64_t lastEndNs_ = 0;  ///< of the sample before
  LossCounts losses_;
};

/// Samples the counters of one device on a thread of its own until it is stopped. It must be
/// stopped before the process begins to end: CUPTI crashes or hangs otherwise.
class TrafficSampler {
 public:
  /// Starts at once; why it could not is written as a loss. Lives until the process ends.
  static TrafficSampler* start(std::unique_ptr<CounterSource> source, trace::EventSink& sink,
                               uint32_t device);

  /// Ends the sampling and waits for its last rows, for a bounded time. Any thread, any number of
  /// times.
  void stop() noexcept;

 private:
  TrafficSampler(std::unique_ptr<CounterSource> source, trace::EventSink& sink, uint32_t device)
      : source_(std::move(source)), sink_(sink), device_(device) {}
  static void* work(void* sampler);
  void sample();

  std::unique_ptr<CounterSource> source_;
  trace::EventSink& sink_;
  const uint32_t device_;
  sem_t stopWanted_{};
  Handshake ended_;
  std::atomic<bool> isStopped_{false};
};

}  // namespace jitscope::collector
