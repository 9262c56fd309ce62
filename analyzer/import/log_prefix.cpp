#include "analyzer/import/log_prefix.h"

#include <array>
#include <chrono>

#include "analyzer/is_digit.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
/// No path is longer; where it does not end by then, there is none.
constexpr size_t kLongestSite = 4096;
/// Beginnings of a prefix in one line that prove to be none; a line that has more is hostile.
constexpr int kMostBeginnings = 100;

constexpr bool isLevel(char c) {
  return c == 'V' || c == 'I' || c == 'W' || c == 'E' || c == 'C' || c == 'D';
}

/// Takes a line apart from its front. After the first thing that is not as expected it is broken,
/// and whatever is taken then is empty.
class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : rest_(line) {}

  bool isGood() const { return isGood_; }
  std::string_view rest() const { return rest_; }

  void take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return fail();
    rest_.remove_prefix(1);
  }

  bool takeIf(std::string_view expected) {
    if (!isGood_ || !rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  /// Exactly `count` digits.
  int64_t takeDigits(size_t count) {
    int64_t number = 0;
    if (rest_.size() < count) return fail(), 0;
    for (size_t i = 0; i < count; ++i) {
      if (!isDigit(rest_[i])) return fail(), 0;
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return number;
  }

  /// One to 18 digits.
  int64_t takeNumber() {
    size_t count = 0;
    while (count < rest_.size() && count < 18 && isDigit(rest_[count])) ++count;
    if (count == 0) return fail(), 0;
    return takeDigits(count);
  }

  char takeLevel() {
    if (rest_.empty() || !isLevel(rest_.front())) return fail(), '\0';
    const char level = rest_.front();
    rest_.remove_prefix(1);
    return level == 'D' ? 'V' : level;
  }

  void skipBlanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  /// `12:34:56`
  int64_t takeClock() {
    const int64_t hours = takeDigits(2);
    take(':');
    const int64_t minutes = takeDigits(2);
    take(':');
    const int64_t seconds = takeDigits(2);
    if (hours > 23 || minutes > 59 || seconds > 60) fail();
    return ((hours * 60 + minutes) * 60 + seconds) * kSecondNs;
  }

  void checkDate(const LogTime& time) {
    if (time.month < 1 || time.month > 12 || time.day < 1 || time.day > 31) fail();
    // Other years do not fit into nanoseconds; 0 is one that is not told.
    if (time.year != 0 && (time.year < 1970 || time.year > 2190)) fail();
  }

  void fail() { isGood_ = false; }

 private:
  std::string_view rest_;
  bool isGood_ = true;
};

/// Splits `torch/_dynamo/guards.py:4204] text` behind its line number. Paths may hold blanks,
/// brackets and, on Windows, colons.
bool takeSite(LineCursor& cursor, LogPrefix& prefix) {
  const std::string_view rest = cursor.rest(), near = rest.substr(0, kLongestSite);
  for (size_t close = near.find(']'); close != std::string_view::npos;
       close = near.find(']', close + 1)) {
    size_t digits = close;
    while (digits > 0 && isDigit(rest[digits - 1])) --digits;
    if (digits == close || digits < 2 || rest[digits - 1] != ':') continue;
    prefix.site = rest.substr(0, close);
    prefix.text = rest.substr(close + 1);
    if (prefix.text.starts_with(' ')) prefix.text.remove_prefix(1);
    return true;
  }
  return false;
}

/// The rank in the last `[rank3]:` of what stands before a prefix; -1 without.
int64_t rankIn(std::string_view before) {
  constexpr std::string_view kMark = "[rank";
  const size_t at = before.rfind(kMark);
  if (at == std::string_view::npos) return -1;
  LineCursor cursor(before.substr(at + kMark.size()));
  const int64_t rank = cursor.takeNumber();
  cursor.take(']');
  return cursor.isGood() && rank < 1'000'000 ? rank : -1;
}

struct LevelName {
  std::string_view name;
  char level;
};

constexpr std::array kLevelNames{LevelName{"[DEBUG] ", 'V'}, LevelName{"[INFO] ", 'I'},
                                 LevelName{"[WARNING] ", 'W'}, LevelName{"[ERROR] ", 'E'},
                                 LevelName{"[CRITICAL] ", 'C'}};

/// `[2024-02-05 15:21:43,445] [0/0] torch._dynamo.guards.__guards: [DEBUG] text`, with or without
/// the id.
std::optional<LogPrefix> parseOldPrefix(std::string_view line) {
  LineCursor cursor(line);
  LogPrefix prefix;
  cursor.take('[');
  prefix.time.year = cursor.takeDigits(4);
  cursor.take('-');
  prefix.time.month = cursor.takeDigits(2);
  cursor.take('-');
  prefix.time.day = cursor.takeDigits(2);
  cursor.take(' ');
  prefix.time.dayNs = cursor.takeClock();
  cursor.take(',');
  prefix.time.dayNs += cursor.takeDigits(3) * 1'000'000;
  cursor.take(']');
  cursor.take(' ');
  cursor.checkDate(prefix.time);
  if (!cursor.isGood()) return std::nullopt;
  const std::string_view rest = cursor.rest(), near = rest.substr(0, kLongestSite);
  for (const LevelName& each : kLevelNames) {
    const size_t level = near.find(each.name);
    if (level == std::string_view::npos || level < 2 || rest.substr(level - 2, 2) != ": ") continue;
    const size_t logger = rest.substr(0, level - 2).rfind(' ') + 1;
    if (!rest.substr(logger).starts_with("torch.")) continue;
    prefix.level = each.level;
    prefix.site = rest.substr(0, level - 2);
    prefix.text = rest.substr(level + each.name.size());
    return prefix;
  }
  return std::nullopt;
}

}  // namespace

int64_t unixNs(const LogTime& time) {
  using std::chrono::day, std::chrono::month, std::chrono::year;
  const std::chrono::sys_days date = year(static_cast<int>(time.year == 0 ? 1972 : time.year)) /
                                     month(static_cast<unsigned>(time.month)) /
                                     day(static_cast<unsigned>(time.day));
  return date.time_since_epoch().count() * 86'400 * kSecondNs + time.dayNs;
}

int64_t processOf(int64_t number) {
  constexpr int64_t kLargestPid = 4'194'304;
  return number > kLargestPid ? 0 : number;
}

std::optional<LogPrefix> parsePrefix(std::string_view line) {
  LineCursor cursor(line);
  LogPrefix prefix;
  if (cursor.takeIf("[rank")) {
    prefix.rank = cursor.takeNumber();
    cursor.take(']');
    cursor.take(':');
    if (prefix.rank >= 1'000'000) cursor.fail();
  }
  prefix.level = cursor.takeLevel();
  prefix.time.month = cursor.takeDigits(2);
  prefix.time.day = cursor.takeDigits(2);
  cursor.take(' ');
  if (!cursor.isGood()) return std::nullopt;
  cursor.checkDate(prefix.time);
  prefix.time.dayNs = cursor.takeClock();
  cursor.take('.');
  prefix.time.dayNs += cursor.takeDigits(6) * 1000;
  cursor.take(' ');
  cursor.skipBlanks();
  prefix.process = cursor.takeNumber();
  cursor.take(' ');
  cursor.skipBlanks();
  if (!cursor.isGood() || !takeSite(cursor, prefix)) return std::nullopt;
  return prefix;
}

std::optional<LogPrefix> findPrefix(std::string_view line, int64_t rankOfFront) {
  int beginnings = 0;
  for (size_t at = 0; at + 20 < line.size() && beginnings < kMostBeginnings; ++at) {
    const bool isNew =
        isLevel(line[at]) && isDigit(line[at + 1]) && isDigit(line[at + 4]) && line[at + 5] == ' ';
    const bool isOld = line[at] == '[' && isDigit(line[at + 1]) && isDigit(line[at + 4]);
    if (!isNew && !isOld) continue;
    ++beginnings;
    std::optional<LogPrefix> prefix =
        isNew ? parsePrefix(line.substr(at)) : parseOldPrefix(line.substr(at));
    if (!prefix) continue;
    if (prefix->rank < 0) prefix->rank = rankIn(line.substr(0, at));
    if (prefix->rank < 0) prefix->rank = rankOfFront;
    return prefix;
  }
  return std::nullopt;
}

}  // namespace jitscope::analyzer
