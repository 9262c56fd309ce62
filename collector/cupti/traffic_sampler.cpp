#include "collector/cupti/traffic_sampler.h"

#include <pthread.h>

#include <algorithm>
#include <exception>

#include "trace/quiet_thread.h"

namespace jitscope::collector {
namespace {

constexpr int kReadEveryMs = 20;
constexpr int kStopPatienceMs = 2000;
/// How long a stretch without anything may get before it is written, so that a program that is
/// killed loses no more than otherwise.
constexpr int64_t kLongestQuietNs = 100'000'000;

bool isQuiet(const CounterSample& sample) {
  return std::all_of(sample.values.begin(), sample.values.end(),
                     [](double value) { return value == 0; });
}

}  // namespace

SampleRows::SampleRows(trace::EventSink& sink, uint32_t device,
                       const std::vector<std::string>& names, int64_t intervalNs)
    : sink_(sink), device_(device), intervalNs_(intervalNs) {
  for (const std::string& name : names) metrics_.push_back(sink.intern(name));
}

void SampleRows::take(const CounterBatch& batch) {
  if (batch.isCut) {
    losses_.add(trace::LossKind::kDropped, "readings of the GPU's counters without place for all");
  }
  for (const CounterSample& sample : batch.samples) {
    const bool isFirst = lastEndNs_ == 0;
    const int64_t gapNs = sample.startNs - lastEndNs_;
    if (!isFirst && sample.endNs <= sample.startNs) continue;
    lastEndNs_ = std::max(lastEndNs_, sample.endNs);
    if (isFirst) continue;
    if (gapNs >= intervalNs_ / 2) {
      losses_.add(trace::LossKind::kDropped, "samples of the GPU's counters",
                  std::max<int64_t>(1, gapNs / intervalNs_));
    }
    const bool joins = isQuiet(sample) && quiet_.endNs == sample.startNs &&
                       sample.endNs - quiet_.startNs <= kLongestQuietNs;
    if (joins) {
      quiet_.endNs = sample.endNs;
      continue;
    }
    writeQuiet();
    if (isQuiet(sample)) {
      quiet_ = sample;
    } else {
      write(sample);
    }
  }
  losses_.write(sink_);
}

void SampleRows::finish() {
  writeQuiet();
  losses_.write(sink_);
}

void SampleRows::writeQuiet() {
  if (quiet_.endNs != 0) write(quiet_);
  quiet_ = {};
}

void SampleRows::write(const CounterSample& sample) {
  for (size_t i = 0; i < metrics_.size(); ++i) {
    trace::emit(sink_, trace::CounterRow{.startNs = sample.startNs,
                                         .endNs = sample.endNs,
                                         .device = device_,
                                         .metric = metrics_[i],
                                         .value = sample.values[i]});
  }
}

TrafficSampler* TrafficSampler::start(std::unique_ptr<CounterSource> source, trace::EventSink& sink,
                                      uint32_t device) {
  std::unique_ptr<TrafficSampler> sampler(new TrafficSampler(std::move(source), sink, device));
  sem_init(&sampler->stopWanted_, 0, 0);
  // On a thread of its own: to begin takes a third of a second.
  if (!trace::startQuietThread(work, sampler.get(), trace::kUsualStackBytes)) {
    writeLoss(sink, trace::LossKind::kDropped, "memory traffic is not sampled: no thread", 0);
    return nullptr;
  }
  return sampler.release();
}

void* TrafficSampler::work(void* sampler) {
  pthread_setname_np(pthread_self(), "jitscope-bytes");
  auto& self = *static_cast<TrafficSampler*>(sampler);
  try {
    self.sample();
  } catch (const std::exception&) {
    // No memory: what has been written stays.
  }
  self.ended_.answer();
  return nullptr;
}

void TrafficSampler::sample() {
  const auto names = source_->start(device_);
  if (!names) {
    writeLoss(sink_, trace::LossKind::kDropped,
              "memory traffic is not sampled: " + names.error().text, 0);
    source_->stop();
    return;
  }
  SampleRows rows(sink_, device_, *names, source_->intervalNs());
  std::string fault;
  while (fault.empty() && !waitFor(stopWanted_, kReadEveryMs)) {
    const CounterBatch batch = source_->read();
    rows.take(batch);
    fault = batch.fault;
  }
  rows.take(source_->stop());
  rows.finish();
  if (!fault.empty()) {
    writeLoss(sink_, trace::LossKind::kDropped, "memory traffic is sampled no more: " + fault, 0);
  }
}

void TrafficSampler::stop() noexcept {
  if (isStopped_.exchange(true)) return;
  sem_post(&stopWanted_);
  ended_.waitForAnswer(kStopPatienceMs);
}

}  // namespace jitscope::collector
