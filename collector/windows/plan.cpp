#include "collector/windows/plan.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

namespace jitscope::collector {
namespace {

constexpr std::string_view kWish = "wish=";
constexpr const char* kRangeBytes = "range-bytes";

/// Calls `visit(name, value)` for each number of a plan, to write it or to read it.
template <class Plan, class Visit>
void forEachNumber(Plan& plan, Visit visit) {
  visit("from", plan.firstNs), visit("for", plan.durationNs);
  visit("step", plan.firstStep), visit("last-step", plan.lastStep);
  visit("paused", plan.isPaused), visit("signal", plan.hasSignal);
  visit("before", plan.flight.beforeNs), visit("after", plan.flight.afterNs);
  visit("slow-call", plan.flight.slowCallNs), visit("recompile", plan.flight.onRecompile);
  visit("limit", plan.flight.onLimit), visit("windows", plan.flight.mostWindows);
  visit("memory", plan.flight.memoryBytes);
}

struct Unit {
  std::string_view name;
  double ns;
};
constexpr std::array kUnits{Unit{"", 1e9},   Unit{"s", 1e9},    Unit{"ms", 1e6},  Unit{"us", 1e3},
                            Unit{"m", 60e9}, Unit{"min", 60e9}, Unit{"h", 3600e9}};
constexpr double kLongestNs = 10 * 366 * 86'400e9;

}  // namespace

std::string planText(const WindowPlan& plan) {
  std::string text;
  forEachNumber(plan, [&](const char* name, int64_t value) {
    text += std::string(name) + '=' + std::to_string(value) + ' ';
  });
  text += std::string(kRangeBytes) + '=' + std::to_string(plan.nvtxRange.size()) + ' ';
  return text + std::string(kWish) + plan.nvtxRange + plan.wish;
}

WindowPlan planOf(const char* text) {
  WindowPlan plan;
  if (!text) return plan;
  std::string_view words(text);
  if (const size_t wish = words.find(kWish); wish != words.npos) {
    plan.wish = words.substr(wish + kWish.size());
    words = words.substr(0, wish);
  }
  const auto read = [&]<class Number>(const char* name, Number& value) {
    const size_t place = (' ' + std::string(words)).find(' ' + std::string(name) + '=');
    if (place == words.npos) return;
    int64_t number = 0;
    const char* const begin = words.data() + place + std::strlen(name) + 1;
    if (begin < words.end() && std::from_chars(begin, words.end(), number).ec == std::errc{}) {
      value = static_cast<Number>(number);
    }
  };
  forEachNumber(plan, read);
  size_t rangeBytes = 0;
  read(kRangeBytes, rangeBytes);
  plan.nvtxRange = plan.wish.substr(0, rangeBytes);
  plan.wish.erase(0, rangeBytes);
  return plan;
}

std::optional<int64_t> parseDuration(std::string_view text) {
  double number = 0;
  const auto [rest, problem] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (problem != std::errc{}) return std::nullopt;
  const std::string_view name = text.substr(static_cast<size_t>(rest - text.data()));
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    const double ns = number * unit.ns;
    const bool isUsable = std::isfinite(ns) && ns >= 1 && ns <= kLongestNs;
    return isUsable ? std::optional(static_cast<int64_t>(ns)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace jitscope::collector
