#pragma once

#include <string_view>

namespace jitscope::analyzer {

/// What stands behind `mark`; empty when it is not there.
inline std::string_view textAfter(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

inline std::string_view firstLineOf(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace jitscope::analyzer
