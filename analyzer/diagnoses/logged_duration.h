#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {

/// What a log says that took time: nanoseconds (0 when it does not tell), and the line.
struct LoggedDuration {
  int64_t durationNs = 0;
  std::string_view line;
};

/// Reads an artifact whose content is `NANOSECONDS\nLINE`.
inline LoggedDuration loggedDuration(std::string_view content) {
  LoggedDuration result;
  const size_t end = content.find('\n');
  std::from_chars(content.data(), content.data() + std::min(end, content.size()),
                  result.durationNs);
  if (result.durationNs < 0 || result.durationNs > kLongestNs) result.durationNs = 0;
  if (end != std::string_view::npos) result.line = content.substr(end + 1);
  return result;
}

}  // namespace jitscope::analyzer
