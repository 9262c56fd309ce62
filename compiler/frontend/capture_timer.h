#pragma once

#include <cstdint>

#include "compiler/journal/journal.h"
#include "trace/clock.h"

namespace jitscope::compiler {

/// While anything records, adds the time of its scope to `captureNs`, less what `otherNs` grows by
/// meanwhile.
class CaptureTimer {
 public:
  CaptureTimer(int64_t& captureNs, const int64_t& otherNs)
      : captureNs_(captureNs), otherNs_(otherNs), isTimed_(Journal::instance().isRecording()) {
    if (!isTimed_) return;
    otherBeforeNs_ = otherNs;
    startNs_ = trace::nowNs();
  }
  ~CaptureTimer() {
    if (isTimed_) captureNs_ += (trace::nowNs() - startNs_) - (otherNs_ - otherBeforeNs_);
  }
  CaptureTimer(const CaptureTimer&) = delete;
  CaptureTimer& operator=(const CaptureTimer&) = delete;

 private:
  int64_t& captureNs_;
  const int64_t& otherNs_;
  const bool isTimed_;
  int64_t otherBeforeNs_ = 0, startNs_ = 0;
};

}  // namespace jitscope::compiler
