#include "collector/cupti/devices.h"

#include <fmt/format.h>

namespace jitscope::collector {
namespace {

/// As nvidia-smi writes it.
std::string uuidText(const CUuuid& uuid) {
  std::string text = "GPU";
  for (size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

void Devices::add(const CUpti_ActivityDevice5& device) {
  Waiting& waiting = waiting_.emplace_back();
  waiting.name = device.name ? device.name : "";
  waiting.uuid = uuidText(device.uuid);
  waiting.row = {.device = device.id,
                 .memoryBytes = static_cast<int64_t>(device.globalMemorySize),
                 .multiprocessors = device.numMultiprocessors,
                 .computeMajor = device.computeCapabilityMajor,
                 .computeMinor = device.computeCapabilityMinor,
                 // CUPTI counts in kilobytes.
                 .peakBytesPerSecond = static_cast<double>(device.globalMemoryBandwidth) * 1e3};
}

void Devices::write(trace::EventSink& sink) {
  for (Waiting& waiting : waiting_) {
    waiting.row.name = sink.intern(waiting.name);
    waiting.row.uuid = sink.intern(waiting.uuid);
    trace::emit(sink, waiting.row);
  }
  waiting_.clear();
}

}  // namespace jitscope::collector
