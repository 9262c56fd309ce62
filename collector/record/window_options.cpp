#include "collector/record/window_options.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "trace/closest_word.h"
#include "trace/parse_amount.h"

namespace jitscope::collector {
namespace {

using trace::Error;
using trace::Result;

constexpr Option kDelay{"", "--delay", "a time such as 5, 2.5s, 300ms or 2m"};
constexpr Option kDuration{"", "--duration", "a time such as 5, 2.5s, 300ms or 2m"};
constexpr Option kSteps{"", "--steps", "steps such as 10..20, 10.. or 10, counted from 1"};
constexpr Option kToggle{"", "--toggle-signal", "the name of a signal, such as USR2"};
constexpr Option kNvtxRange{"", "--nvtx-range", "the name of a range that the program marks"};
constexpr Option kFlight{"", "--flight-recorder", "a time such as 30s, or two such as 30s,5s"};
constexpr Option kTrigger{"", "--trigger", "words such as recompile,limit,slow-call=50ms,signal"};
constexpr Option kMost{"", "--most-windows", "a number from 1 to 10000"};
constexpr Option kMemory{"", "--flight-memory", "a size from 16M to 64G, such as 128M"};
constexpr Option kPaused{"", "--start-paused", ""};
constexpr std::array kAll = {kDelay,  kDuration, kSteps, kToggle, kNvtxRange,
                             kFlight, kTrigger,  kMost,  kMemory, kPaused};

Error needs(const Option& option, const std::string& got) {
  return Error{"record: " + std::string(option.longName) + " needs " + std::string(option.value) +
               ", not " + got};
}

std::optional<int64_t> numberOf(std::string_view text) {
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isWhole = problem == std::errc{} && end == text.data() + text.size();
  return isWhole && number > 0 ? std::optional(number) : std::nullopt;
}

/// More than 0, and no more than ten years.
std::optional<int64_t> timeOf(std::string_view text) {
  constexpr int64_t kLongestNs = int64_t{10} * 366 * 86'400 * 1'000'000'000;
  const auto ns = trace::parseDuration(text);
  return ns && *ns > 0 && *ns <= kLongestNs ? ns : std::nullopt;
}

std::optional<int64_t> memoryOf(std::string_view text) {
  const auto bytes = trace::parseSize(text);
  const bool isUsable = bytes && *bytes >= uint64_t{16} << 20 && *bytes <= uint64_t{64} << 30;
  return isUsable ? std::optional(static_cast<int64_t>(*bytes)) : std::nullopt;
}

std::vector<std::string> partsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t end = 0; end != text.npos; start = end + 1) {
    end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
  }
  return parts;
}

Result<void> readSteps(const std::string& text, WindowPlan& plan) {
  const size_t dots = text.find("..");
  const auto first = numberOf(text.substr(0, dots));
  const std::string lastText = dots == text.npos ? text : text.substr(dots + 2);
  const auto last = lastText.empty() ? std::optional<int64_t>(INT64_MAX) : numberOf(lastText);
  if (!first || !last || *last < *first) return needs(kSteps, text);
  plan.firstStep = *first;
  plan.lastStep = *last;
  return {};
}

Result<void> readFlight(const std::string& text, FlightPlan& flight) {
  const std::vector<std::string> parts = partsOf(text, ',');
  const auto before = timeOf(parts[0]);
  if (!before || parts.size() > 2) return needs(kFlight, text);
  flight.beforeNs = *before;
  flight.afterNs = *before / 10;
  if (parts.size() < 2) return {};
  const auto after = timeOf(parts[1]);
  if (!after) return needs(kFlight, text);
  flight.afterNs = *after;
  return {};
}

// By a name with SIG or without; not one that cannot be held back or that says what happened to the
// launcher itself.
int signalOf(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return std::toupper(letter); });
  if (name.starts_with("SIG")) name.erase(0, 3);
  struct Named {
    std::string_view name;
    int signal;
  };
  constexpr std::array kNamed{Named{"USR1", SIGUSR1}, Named{"USR2", SIGUSR2},
                              Named{"HUP", SIGHUP},   Named{"WINCH", SIGWINCH},
                              Named{"IO", SIGIO},     Named{"URG", SIGURG},
                              Named{"ALRM", SIGALRM}, Named{"PROF", SIGPROF}};
  for (const Named& each : kNamed) {
    if (each.name == name) return each.signal;
  }
  return 0;
}

}  // namespace

std::optional<Result<void>> WindowOptions::take(OptionReader& options, const std::string& word) {
  WindowPlan& plan = wish_.plan;
  std::optional<Result<void>> taken;
  // Gives `value` to `read`, which understands it or not.
  const auto option = [&](const Option& each, auto read) {
    if (taken) return;
    const auto value = options.valueOf(each, word);
    if (!value) return;
    taken = *value ? read(**value) : Result<void>(value->error());
    words_ +=
        (words_.empty() ? "" : " ") + std::string(each.longName) + ' ' + (*value ? **value : "");
  };
  const auto number = [](const Option& each, const std::string& text, std::optional<int64_t> read,
                         int64_t& target) -> Result<void> {
    if (!read) return needs(each, text);
    target = *read;
    return {};
  };
  option(kDelay, [&](const std::string& text) {
    return number(kDelay, text, timeOf(text), wish_.delayNs);
  });
  option(kDuration, [&](const std::string& text) {
    return number(kDuration, text, timeOf(text), plan.durationNs);
  });
  option(kSteps, [&](const std::string& text) { return readSteps(text, plan); });
  option(kToggle, [&](const std::string& text) -> Result<void> {
    plan.hasSignal = true;
    return takeSignal("--toggle-signal", text);
  });
  option(kNvtxRange, [&](const std::string& text) -> Result<void> {
    plan.nvtxRange = text;
    return {};
  });
  option(kFlight, [&](const std::string& text) { return readFlight(text, plan.flight); });
  option(kTrigger, [&](const std::string& text) -> Result<void> {
    hasTrigger_ = true;
    for (const std::string& part : partsOf(text, ',')) {
      if (const auto added = addTrigger(part); !added) return added;
    }
    return {};
  });
  option(kMost, [&](const std::string& text) {
    flightOption_ = kMost.longName;
    const auto most = numberOf(text);
    return number(kMost, text, most && *most <= 10'000 ? most : std::nullopt,
                  plan.flight.mostWindows);
  });
  option(kMemory, [&](const std::string& text) {
    flightOption_ = kMemory.longName;
    return number(kMemory, text, memoryOf(text), plan.flight.memoryBytes);
  });
  if (!taken && word == kPaused.longName) {
    plan.isPaused = true;
    words_ += (words_.empty() ? "" : " ") + word;
    return Result<void>{};
  }
  return taken;
}

std::span<const Option> WindowOptions::all() { return kAll; }

Result<void> WindowOptions::takeSignal(const std::string& option, const std::string& name) {
  wish_.signal = signalOf(name);
  if (wish_.signal != 0) return {};
  constexpr std::array<std::string_view, 8> kNames{"USR1", "USR2", "HUP",  "WINCH",
                                                   "IO",   "URG",  "ALRM", "PROF"};
  return trace::unknownWord("signal", name, kNames).within("record: " + option);
}

Result<void> WindowOptions::addTrigger(const std::string& word) {
  FlightPlan& flight = wish_.plan.flight;
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
  if (word == "recompile" || word == "limit") {
    (word == "limit" ? flight.onLimit : flight.onRecompile) = true;
    return {};
  }
  if (name == "slow-call") {
    const auto slow = timeOf(value);
    if (!slow) return Error{"record: --trigger slow-call needs a time, such as slow-call=50ms"};
    flight.slowCallNs = *slow;
    return {};
  }
  if (name == "signal") {
    wish_.plan.hasSignal = true;
    return takeSignal("--trigger signal", equals == word.npos ? "USR2" : value);
  }
  constexpr std::array<std::string_view, 4> kTriggers{"recompile", "limit", "slow-call", "signal"};
  return trace::unknownWord("trigger", word, kTriggers).within("record");
}

Result<WindowWish> WindowOptions::plan() const {
  WindowWish wish = wish_;
  wish.plan.wish = words_;
  const WindowPlan& plan = wish.plan;
  const bool hasTime = wish.delayNs > 0 || plan.durationNs > 0;
  const bool hasToggle = plan.hasSignal && !plan.isFlight();
  const bool isPaused = plan.isPaused || !plan.nvtxRange.empty();
  if (plan.isFlight() && (hasTime || plan.firstStep > 0 || isPaused ||
                          words_.find("--toggle-signal") != words_.npos)) {
    return Error{
        "record: a flight recorder writes around its triggers: no --delay, --duration, "
        "--steps, --toggle-signal, --nvtx-range or --start-paused with it"};
  }
  if (plan.isFlight() && !hasTrigger_) {
    return Error{"record: --flight-recorder needs --trigger, such as --trigger recompile,signal"};
  }
  if (!plan.isFlight() && (hasTrigger_ || !flightOption_.empty())) {
    return Error{"record: " + (hasTrigger_ ? "--trigger" : flightOption_) +
                 " needs --flight-recorder, such as --flight-recorder 30s"};
  }
  if (plan.firstStep > 0 && (hasTime || hasToggle || isPaused)) {
    return Error{
        "record: --steps says when to record already: no --delay, --duration, "
        "--toggle-signal, --nvtx-range or --start-paused with it"};
  }
  if (wish.delayNs > 0 && (hasToggle || isPaused)) {
    return Error{
        "record: --delay begins to record by itself: no --toggle-signal, --nvtx-range or "
        "--start-paused with it"};
  }
  return wish;
}

}  // namespace jitscope::collector
