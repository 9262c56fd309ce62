#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collector/cupti/profiler_api.h"
#include "trace/result.h"

namespace jitscope::collector {

/// A counter by its two names.
struct TrafficMetric {
  const char* cuptiName;
  const char* traceName;  ///< CounterRow::metric
};

/// What is counted where the chip can count it all at once: bytes from and to device memory, L2,
/// PCIe and NVLink, and how busy the multiprocessors were.
std::span<const TrafficMetric> allTrafficMetrics();

/// The bytes from and to device memory alone: what every chip can count at once.
std::span<const TrafficMetric> memoryTrafficMetrics();

/// A set of counters made ready for a chip.
class CounterConfig {
 public:
  /// Makes `metrics` ready for `chip` ("GH100"), to be sampled or, of `type` range profiler, to be
  /// counted for each kernel. `availability` is the device's image, or null where there is no
  /// device. An error when the chip does not have one of them, or cannot count them in one pass.
  static trace::Result<CounterConfig> create(
      const ProfilerApi& api, const char* chip, const uint8_t* availability,
      std::span<const TrafficMetric> metrics,
      CUpti_ProfilerType type = CUPTI_PROFILER_TYPE_PM_SAMPLING);
  const std::vector<uint8_t>& image() const { return image_; }
  CUpti_Profiler_Host_Object* host() const { return host_.get(); }
  /// CUPTI's names, in the order of the metrics.
  std::vector<const char*>& names() { return names_; }
  std::vector<std::string> traceNames() const;

 private:
  CounterConfig(const ProfilerApi& api, std::span<const TrafficMetric> metrics);
  /// Fills the image; gives the name of the call that failed, and with what, through `result`.
  const char* build(const char* chip, const uint8_t* availability, CUpti_ProfilerType type,
                    CUptiResult& result);

  const ProfilerApi* api_;
  std::span<const TrafficMetric> metrics_;
  std::vector<const char*> names_;
  std::vector<uint8_t> image_;
  std::shared_ptr<CUpti_Profiler_Host_Object> host_;
  size_t passes_ = 0;
};

}  // namespace jitscope::collector
