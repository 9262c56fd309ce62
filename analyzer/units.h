#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

/// \file
/// Numbers as all our programs write them, the same whatever the locale. They are defined here, and
/// need the standard library alone: the models of the window, which link no analyzer, write them
/// too.
namespace jitscope::analyzer {

/// A unit, and how many of the smallest one it is.
struct NumberUnit {
  double size;
  const char* name;
};

/// Of durations in nanoseconds, the smallest first.
inline constexpr std::array<NumberUnit, 4> kTimeUnits{
    {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
/// Of sizes in bytes, the smallest first.
inline constexpr std::array<NumberUnit, 5> kSizeUnits{
    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};

/// `number`, digits with or without a sign and a point, with thousands separated by commas.
inline std::string separated(std::string number) {
  const size_t first = number.starts_with('-') ? 1 : 0;
  for (size_t at = std::min(number.find('.'), number.size()); at > first + 3;) {
    at -= 3;
    number.insert(at, ",");
  }
  return number;
}

/// A count with thousands separated: "1,234,567".
inline std::string countText(int64_t count) { return separated(std::to_string(count)); }

/// `value` with `decimals` digits after the point, thousands separated: "-1,234.5". What rounds to
/// zero has no sign.
inline std::string decimalText(double value, int decimals) {
  std::array<char, 400> digits{};  // the largest double has 309 before the point
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), std::fabs(value),
                                     std::chars_format::fixed, decimals);
  const std::string text(digits.data(), written.ptr);
  const bool isZero = text.find_first_not_of("0.") == std::string::npos;
  return separated(value < 0 && !isZero ? "-" + text : text);
}

/// Three significant digits below 1,000, whole numbers above.
inline std::string threeDigits(double value) {
  const double magnitude = std::fabs(value);
  return decimalText(value, magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2);
}

/// An amount of the smallest of `units` in the largest that keeps three digits: "950 B", "12.3 kB".
inline std::string textInUnits(int64_t amount, std::span<const NumberUnit> units) {
  const auto value = static_cast<double>(amount);
  size_t unit = 0;
  while (unit + 1 < units.size() && std::fabs(value) >= units[unit].size * 999.5) ++unit;
  const std::string number = unit == 0 ? countText(amount) : threeDigits(value / units[unit].size);
  return number + ' ' + units[unit].name;
}

/// A duration: "950 ns", "12.3 µs", "4.56 ms", "1,234 s".
inline std::string durationText(int64_t durationNs) { return textInUnits(durationNs, kTimeUnits); }

/// Whether two durations have the same text, so that to tell both says nothing.
inline bool readAlike(int64_t oneNs, int64_t otherNs) {
  return durationText(oneNs) == durationText(otherNs);
}

/// A size in powers of ten: "950 B", "1.21 kB", "3.40 GB".
inline std::string bytesText(int64_t sizeBytes) { return textInUnits(sizeBytes, kSizeUnits); }

/// A ratio of two durations: "2.31x".
inline std::string ratioText(double ratio) { return threeDigits(ratio) + "x"; }

}  // namespace jitscope::analyzer
