#include "collector/cupti/traffic_samplers.h"

namespace jitscope::collector {

void TrafficSamplers::use(uint32_t device) {
  if (!makeSource_) return;
  const std::lock_guard lock(mutex_);
  if (isStopped_) return;
  const auto [sampler, isNew] = byDevice_.try_emplace(device, nullptr);
  if (isNew) sampler->second = TrafficSampler::start(makeSource_(), sink_, device);
}

void TrafficSamplers::stop() noexcept {
  const std::lock_guard lock(mutex_);
  isStopped_ = true;
  for (const auto& [device, sampler] : byDevice_) {
    if (sampler) sampler->stop();
  }
}

}  // namespace jitscope::collector
