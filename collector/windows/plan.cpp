#include "collector/windows/plan.h"

#include <charconv>
#include <cstring>
#include <iterator>
#include <string_view>
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

}  // namespace jitscope::collector
