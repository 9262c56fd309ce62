#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jitscope::analyzer {

/// A moment as a log writes it. Most logs name neither year nor time zone.
struct LogTime {
  int64_t year = 0;  ///< 0 when not told
  int64_t month = 0, day = 0;
  int64_t dayNs = 0;  ///< since midnight

  bool operator==(const LogTime&) const = default;
};

/// Nanoseconds since the Unix epoch, as if the log were in UTC. Without a year, as if it were of
/// 1972: a leap year, so that every day exists.
int64_t unixNs(const LogTime& time);

/// What PyTorch's logging puts in front of every line. Views into the line.
struct LogPrefix {
  int64_t rank = -1;  ///< of `[rank0]:`; -1 without
  char level = 0;     ///< V, I, W, E or C
  LogTime time;
  int64_t process = 0;    ///< the number after the time: a process, before 2.5 a thread; 0 without
  std::string_view site;  ///< `torch/_dynamo/guards.py:4204`, or the logger's name
  std::string_view text;  ///< all that follows
};

/// The process of the number in a prefix; 0 for numbers that are threads. Before 2.5 lines name the
/// thread, by a number that no process has.
int64_t processOf(int64_t number);

/// Reads a prefix of PyTorch 2.3 and later at the start of `line`:
/// `[rank0]:V0401 12:34:56.789000 4242 torch/_dynamo/guards.py:4204] text`.
std::optional<LogPrefix> parsePrefix(std::string_view line);

/// Finds a prefix of any generation anywhere in `line`, behind the timestamps of log collectors,
/// progress bars and what else was written before it. Those up to 2.2 look like
/// `[2024-02-05 15:21:43,445] [0/0] torch._dynamo.guards.__guards: [DEBUG] text`; their site is the
/// logger, and a compile id that stood before it stands before the text. The rank of one that tells
/// none is `rankOfFront`, of the line's LineFront.
std::optional<LogPrefix> findPrefix(std::string_view line, int64_t rankOfFront);

}  // namespace jitscope::analyzer
