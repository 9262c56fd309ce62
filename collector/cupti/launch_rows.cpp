#include "collector/cupti/launch_rows.h"

#include "collector/cupti/loss_counts.h"
#include "collector/environment.h"
#include "trace/clock.h"

namespace jitscope::collector {

trace::KernelRow LaunchRows::of(const LaunchCall& call, uint32_t device, uint32_t context) {
  const int64_t nowNs = trace::nowNs();
  const std::lock_guard lock(mutex_);
  return {.startNs = nowNs,
          .endNs = nowNs,
          .device = device,
          .context = context,
          .correlation = static_cast<trace::CorrelationId>(++launches_),
          .name = texts_.name(call.kernel),
          .launch = sink_.intern(call.text())};
}

void LaunchRows::write(std::span<trace::KernelRow> launches, std::span<const RangeBytes> bytes) {
  for (size_t i = 0; i < launches.size(); ++i) {
    if (i < bytes.size()) {
      launches[i].bytesRead = bytes[i].read;
      launches[i].bytesWritten = bytes[i].written;
    }
    trace::emit(sink_, launches[i]);
  }
}

void LaunchRows::tellUncounted(const std::string& why) {
  writeLoss(sink_, trace::LossKind::kDropped, kUncountedText + why, 0);
}

}  // namespace jitscope::collector
