#include "analyzer/import/log_clock.h"

#include <algorithm>
#include <chrono>

#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kDayNs = 86'400'000'000'000;
/// Time zones differ by whole quarters of an hour; the rest is the time between event and line.
constexpr int64_t kZoneStepNs = 900'000'000'000;

using std::chrono::year, std::chrono::year_month_day, std::chrono::sys_days;

year_month_day dateOf(int64_t timeNs) { return sys_days{std::chrono::days(timeNs / kDayNs)}; }

int64_t startOf(const year_month_day& date) {
  return sys_days(date).time_since_epoch().count() * kDayNs;
}

}  // namespace

void LogClock::anchor(int64_t logNs, int64_t unixNs) {
  if (isAnchored_ || !isValidTime(unixNs) || !isValidTime(logNs)) return;
  isAnchored_ = true;
  const int64_t difference = unixNs - logNs;
  const int64_t half = difference < 0 ? -kZoneStepNs / 2 : kZoneStepNs / 2;
  offsetNs_ = (difference + half) / kZoneStepNs * kZoneStepNs;
}

int64_t LogClock::toLog(int64_t unixNs) const {
  // A hostile log may be two centuries away from what it says of the world.
  return std::min(unixNs, kLatestNs + std::min<int64_t>(0, offsetNs_)) - offsetNs_;
}

int64_t LogClock::offsetNs(int64_t lastLogNs, int64_t fileNs) const {
  if (isAnchored_ || fileNs <= 0 || !isValidTime(fileNs) || !isValidTime(lastLogNs))
    return offsetNs_;
  const year_month_day logged = dateOf(lastLogNs);
  // A line can be a day ahead of the file's time: the log is in the time of its place.
  for (year guess = dateOf(fileNs).year(); guess > logged.year(); --guess) {
    const int64_t offset = startOf(guess / logged.month() / logged.day()) - startOf(logged);
    if (lastLogNs + offset <= fileNs + kDayNs) return offset;
  }
  return 0;
}

}  // namespace jitscope::analyzer
