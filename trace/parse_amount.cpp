#include "trace/parse_amount.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace jitscope::trace {
namespace {

struct AmountUnit {
  std::string_view name;
  double factor;
};

constexpr AmountUnit kSizeUnits[] = {{"", 1},
                                     {"B", 1},
                                     {"K", 1024},
                                     {"KB", 1e3},
                                     {"kB", 1e3},
                                     {"KiB", 1024},
                                     {"M", 1048576.0},
                                     {"MB", 1e6},
                                     {"MiB", 1048576.0},
                                     {"G", 1073741824.0},
                                     {"GB", 1e9},
                                     {"GiB", 1073741824.0}};
constexpr AmountUnit kDurationUnits[] = {{"", 1e9},   {"ns", 1},     {"us", 1e3},
                                         {"µs", 1e3}, {"ms", 1e6},   {"s", 1e9},
                                         {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};

/// A number with one of `units` behind it, times the unit's factor; none for anything else, or for
/// what does not fit into 62 bits.
std::optional<double> parseAmount(std::string_view text, std::span<const AmountUnit> units) {
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  double number = 0;
  // Not strtod, which expects the comma of some languages.
  const auto [stop, problem] =
      std::from_chars(text.data(), text.data() + end, number, std::chars_format::fixed);
  if (problem != std::errc() || stop != text.data() + end) return std::nullopt;
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  constexpr double kMost = 4e18;
  for (const AmountUnit& unit : units) {
    if (unit.name == text && number * unit.factor < kMost) return number * unit.factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> parseSize(std::string_view text) {
  const std::optional<double> bytes = parseAmount(text, kSizeUnits);
  return bytes ? std::optional(static_cast<uint64_t>(*bytes)) : std::nullopt;
}

std::optional<int64_t> parseDuration(std::string_view text) {
  const std::optional<double> ns = parseAmount(text, kDurationUnits);
  return ns ? std::optional(static_cast<int64_t>(std::llround(*ns))) : std::nullopt;
}

}  // namespace jitscope::trace
