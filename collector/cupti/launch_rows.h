#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "collector/cupti/kernel_texts.h"
#include "collector/cupti/launch_call.h"
#include "collector/cupti/range_counter.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Rows of kernels whose bytes were counted. They say in which order the kernels were launched,
/// with what name, grid and block; nothing else of them is like in another run: their time is that
/// of the launch, their correlation its number. Any thread.
class LaunchRows {
 public:
  explicit LaunchRows(trace::EventSink& sink) : sink_(sink), texts_(sink) {}

  /// The row of a launch that is about to be done.
  trace::KernelRow of(const LaunchCall& call, uint32_t device, uint32_t context);

  /// Writes rows with what they moved; without it where `bytes` is empty.
  void write(std::span<trace::KernelRow> launches, std::span<const RangeBytes> bytes);

  /// Says what was not counted, and why.
  void tellUncounted(const std::string& why);

 private:
  trace::EventSink& sink_;
  std::mutex mutex_;
  KernelTexts texts_;
  int64_t launches_ = 0;
};

}  // namespace jitscope::collector
