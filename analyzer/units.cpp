#include "analyzer/units.h"

#include <fmt/format.h>

#include <cmath>

namespace jitscope::analyzer {
namespace {

/// Three significant digits below 1,000, whole numbers with separators above.
std::string threeDigits(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude >= 999.5) return countText(std::llround(value));
  if (magnitude >= 99.95) return fmt::format("{:.0f}", value);
  if (magnitude >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

}  // namespace

std::string countText(int64_t count) {
  std::string digits = fmt::format("{}", count);
  const size_t first = digits[0] == '-' ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string durationText(int64_t durationNs) {
  const auto value = static_cast<double>(durationNs);
  const double magnitude = std::fabs(value);
  if (magnitude < 1e3) return fmt::format("{} ns", durationNs);
  if (magnitude < 999.5e3) return threeDigits(value / 1e3) + " µs";
  if (magnitude < 999.5e6) return threeDigits(value / 1e6) + " ms";
  return threeDigits(value / 1e9) + " s";
}

std::string bytesText(int64_t sizeBytes) {
  const auto value = static_cast<double>(sizeBytes);
  const double magnitude = std::fabs(value);
  if (magnitude < 1e3) return fmt::format("{} B", sizeBytes);
  if (magnitude < 999.5e3) return threeDigits(value / 1e3) + " kB";
  if (magnitude < 999.5e6) return threeDigits(value / 1e6) + " MB";
  if (magnitude < 999.5e9) return threeDigits(value / 1e9) + " GB";
  return threeDigits(value / 1e12) + " TB";
}

std::string ratioText(double ratio) { return threeDigits(ratio) + "x"; }

}  // namespace jitscope::analyzer
