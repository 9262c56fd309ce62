#include "analyzer/import/line_front.h"

#include <algorithm>
#include <array>
#include <functional>

#include "analyzer/import/json_view.h"
#include "analyzer/is_digit.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kMostRanks = 1'000'000;

struct MarkedFront : LineFront {
  bool isMarked = false;  ///< what follows is the program's, whole or cut
};

constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool isOfName(char c) {
  return isDigit(c) || isLetter(c) || c == '_' || c == '-' || c == '.' || c == '/';
}

/// Takes a text apart from its front; what is not as expected takes nothing.
class FrontCursor {
 public:
  explicit FrontCursor(std::string_view text) : text_(text) {}

  std::string_view rest() const { return text_; }

  bool take(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  /// All bytes from here on for which `isIt` holds.
  template <class Is>
  std::string_view takeWhile(Is isIt) {
    const auto end = std::find_if_not(text_.begin(), text_.end(), isIt);
    const std::string_view taken = text_.substr(0, static_cast<size_t>(end - text_.begin()));
    text_.remove_prefix(taken.size());
    return taken;
  }

  bool takeDigits(size_t count) {
    if (text_.size() < count || !std::all_of(text_.begin(), text_.begin() + count, isDigit))
      return false;
    text_.remove_prefix(count);
    return true;
  }

  /// A rank of one to six digits.
  bool takeRank(int64_t& rank) {
    const std::string_view digits = takeWhile(isDigit);
    constexpr size_t kMostDigits = 6;
    if (digits.empty() || digits.size() > kMostDigits) return false;
    int64_t number = 0;
    for (const char digit : digits) number = number * 10 + (digit - '0');
    if (number >= kMostRanks) return false;
    rank = number;
    return true;
  }

 private:
  std::string_view text_;
};

/// `12:34:56`, with a fraction or not.
bool takeClock(FrontCursor& cursor) {
  if (!cursor.takeDigits(2) || !cursor.take(":") || !cursor.takeDigits(2) || !cursor.take(":") ||
      !cursor.takeDigits(2))
    return false;
  if (cursor.take(".") || cursor.take(",")) return !cursor.takeWhile(isDigit).empty();
  return true;
}

/// `Z`, `+02:00`, `-0700`, or nothing.
void takeZone(FrontCursor& cursor) {
  if (cursor.take("Z")) return;
  FrontCursor zone = cursor;
  if (!zone.take("+") && !zone.take("-")) return;
  if (!zone.takeDigits(2)) return;
  zone.take(":");
  if (zone.takeDigits(2)) cursor = zone;
}

/// `2025-06-12T10:00:01.2Z`, with a blank for the T too.
bool takeIsoTime(FrontCursor& cursor) {
  if (!cursor.takeDigits(4) || (!cursor.take("-") && !cursor.take("/")) || !cursor.takeDigits(2) ||
      (!cursor.take("-") && !cursor.take("/")) || !cursor.takeDigits(2) ||
      (!cursor.take("T") && !cursor.take(" ")) || !takeClock(cursor))
    return false;
  takeZone(cursor);
  return true;
}

/// `Jun 12 10:00:01`
bool takeSyslogTime(FrontCursor& cursor) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan ", "Feb ", "Mar ", "Apr ",
                                                     "May ", "Jun ", "Jul ", "Aug ",
                                                     "Sep ", "Oct ", "Nov ", "Dec "};
  if (std::none_of(kMonths.begin(), kMonths.end(),
                   [&](std::string_view month) { return cursor.take(month); }))
    return false;
  cursor.take(" ");
  return !cursor.takeWhile(isDigit).empty() && cursor.take(" ") && takeClock(cursor);
}

/// Tells a label in front of lines, behind those of `before`, from others.
uint64_t labelHash(uint64_t before, std::string_view label) {
  constexpr uint64_t kFactor = 1'099'511'628'211;  // of FNV
  return (before * kFactor) ^ std::hash<std::string_view>{}(label);
}

/// `stderr F `, as the container runtimes of Kubernetes write it behind the time.
bool takeStream(FrontCursor& cursor, MarkedFront& front) {
  const std::string_view stream = cursor.rest().substr(0, std::string_view("stdout").size());
  if (!cursor.take("stdout ") && !cursor.take("stderr ")) return false;
  const bool isPart = cursor.take("P ");
  if (!isPart && !cursor.take("F ")) return false;
  front.isPart = isPart;
  front.origin = labelHash(front.origin, stream);
  front.isMarked = true;
  front.line = cursor.rest();
  return true;
}

/// `host python3[4242]: `, as journald and syslog write it behind the time. Without a number it
/// could be any words and a colon.
bool takeUnit(FrontCursor& cursor) {
  if (cursor.takeWhile(isOfName).empty() || !cursor.take(" ")) return false;
  if (cursor.takeWhile(isOfName).empty()) return false;
  return cursor.take("[") && !cursor.takeWhile(isDigit).empty() && cursor.take("]: ");
}

bool takeTime(FrontCursor& cursor, MarkedFront& front) {
  const bool isBracketed = cursor.take("[");
  FrontCursor syslog = cursor;
  if (!takeIsoTime(cursor)) {
    if (!takeSyslogTime(syslog)) return false;
    cursor = syslog;
  }
  if (isBracketed && !cursor.take("]")) return false;
  if (!cursor.take(" ")) return cursor.rest().empty();
  if (FrontCursor next = cursor; takeStream(next, front)) {
    cursor = next;
    return true;
  }
  if (FrontCursor next = cursor; takeUnit(next)) cursor = next;
  return true;
}

/// `[rank3]: `, `[default3]:` (torchrun, by role), `[1,3]<stderr>:` (mpirun), `[3] ` (Hydra).
bool takeBracketedRank(FrontCursor& cursor, MarkedFront& front) {
  if (!cursor.take("[")) return false;
  const std::string_view role = cursor.takeWhile(isLetter);
  if (!cursor.takeRank(front.rank)) return false;
  if (role.empty() && cursor.take(",")) {
    return cursor.takeRank(front.rank) && cursor.take("]") &&
           (cursor.take("<stdout>:") || cursor.take("<stderr>:"));
  }
  if (role.empty()) return cursor.take("] ");
  if (!cursor.take("]:")) return false;
  if (role == "rank") cursor.take(" ");
  return true;
}

/// `3: ` or ` 3: `, as srun -l numbers tasks.
bool takeTask(FrontCursor& cursor, MarkedFront& front) {
  cursor.takeWhile([](char c) { return c == ' '; });
  return cursor.takeRank(front.rank) && cursor.take(": ");
}

/// `(RayTrainWorker pid=4242, ip=10.0.0.1) `, `(VllmWorker rank=1 pid=4242) `
bool takeWorker(FrontCursor& cursor, MarkedFront& front) {
  if (!cursor.take("(")) return false;
  const std::string_view inside = cursor.takeWhile([](char c) { return c != ')' && c != '('; });
  if (!cursor.take(") ") || inside.find("pid=") == std::string_view::npos) return false;
  constexpr std::string_view kRank = "rank=";
  if (const size_t at = inside.find(kRank); at != std::string_view::npos)
    FrontCursor(inside.substr(at + kRank.size())).takeRank(front.rank);
  return true;
}

/// `trainer-1  | `, as docker compose writes it.
bool takeContainer(FrontCursor& cursor) {
  if (cursor.takeWhile(isOfName).empty()) return false;
  cursor.takeWhile([](char c) { return c == ' '; });
  return cursor.take("| ");
}

bool takeLevel(FrontCursor& cursor) {
  constexpr std::array<std::string_view, 5> kLevels{"DEBUG", "INFO", "WARNING", "ERROR",
                                                    "CRITICAL"};
  return std::any_of(kLevels.begin(), kLevels.end(),
                     [&](std::string_view level) { return cursor.take(level); });
}

bool takeTorchLogger(FrontCursor& cursor) {
  return cursor.rest().starts_with("torch.") && !cursor.takeWhile(isOfName).empty();
}

/// `WARNING:torch._dynamo.convert_frame:` or `- torch._dynamo.guards - DEBUG - `, as Python's
/// logging writes it where a program has given it a format.
bool takeLogger(FrontCursor& cursor) {
  FrontCursor basic = cursor;
  if (takeLevel(basic) && basic.take(":") && takeTorchLogger(basic) && basic.take(":")) {
    cursor = basic;
    return true;
  }
  cursor.take("- ");
  if (!takeTorchLogger(cursor)) return false;
  return cursor.take(" - ") && takeLevel(cursor) && cursor.take(" - ");
}

bool takeOne(FrontCursor& cursor, MarkedFront& front) {
  const auto tryTake = [&](auto take) {
    FrontCursor next = cursor;
    MarkedFront found = front;
    if (!take(next, found)) return false;
    cursor = next;
    front = found;
    return true;
  };
  const auto whatever = [](auto take) {
    return [take](FrontCursor& next, MarkedFront& /*found*/) { return take(next); };
  };
  if (tryTake(takeTime)) return true;
  const std::string_view before = cursor.rest();
  const bool hasLabel = tryTake(takeBracketedRank) || tryTake(takeTask) || tryTake(takeWorker) ||
                        tryTake(whatever(takeContainer)) || tryTake(whatever(takeLogger));
  if (!hasLabel) return false;
  if (!front.isMarked) {
    const size_t labelBytes = before.size() - cursor.rest().size();
    front.origin = labelHash(front.origin, before.substr(0, labelBytes));
  }
  return true;
}

}  // namespace

LineFront takeLineFront(std::string_view line) {
  MarkedFront front;
  front.line = line;
  FrontCursor cursor(line);
  // More than any chain of collectors writes.
  constexpr int kMostFronts = 8;
  for (int i = 0; i < kMostFronts && takeOne(cursor, front); ++i) {
  }
  front.text = cursor.rest();
  return front;
}

LineFront takeLogObject(std::string_view line, std::string& scratch) {
  constexpr std::array<std::string_view, 6> kKeys{"log", "MESSAGE",     "message",
                                                  "msg", "textPayload", "line"};
  constexpr std::array<std::string_view, 3> kOrigins{"stream", "container_id", "container_name"};
  LineFront front;
  front.line = front.text = line;
  if (!line.starts_with("{\"")) return front;
  std::string_view key;
  const bool isWhole = JsonView(line).forEachMember([&](std::string_view name, JsonView value) {
    const bool isText = key.empty() && value.isString() &&
                        std::find(kKeys.begin(), kKeys.end(), name) != kKeys.end();
    if (isText) {
      key = name;
      scratch = value.string();
    }
    if (value.isString() && std::find(kOrigins.begin(), kOrigins.end(), name) != kOrigins.end())
      front.origin = labelHash(front.origin, value.plain());
    return true;
  });
  if (!isWhole || key.empty()) return front;
  // Docker keeps the line's end, and leaves it out where it has cut the line.
  constexpr size_t kDockersLongest = size_t{16} << 10;
  front.isPart =
      key == kKeys.front() && scratch.size() >= kDockersLongest && !scratch.ends_with('\n');
  while (scratch.ends_with('\n') || scratch.ends_with('\r')) scratch.pop_back();
  front.line = front.text = scratch;
  return front;
}

}  // namespace jitscope::analyzer
