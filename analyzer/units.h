#pragma once

#include <cstdint>
#include <string>

namespace jitscope::analyzer {

/// A count with thousands separated: "1,234,567".
std::string countText(int64_t count);

/// A duration in the largest unit that keeps three digits: "950 ns", "12.3 µs", "4.56 ms", "1,234
/// s".
std::string durationText(int64_t durationNs);

/// A size in powers of ten: "950 B", "1.21 kB", "3.40 GB".
std::string bytesText(int64_t sizeBytes);

/// A ratio of two durations: "2.31x".
std::string ratioText(double ratio);

}  // namespace jitscope::analyzer
