#pragma once

#include <string_view>

namespace jitscope::tests {

/// Whether `text` is one line with its end, and starts with `start`. What the programs tell their
/// user is to be that.
inline bool isOneLine(std::string_view text, std::string_view start = {}) {
  return text.starts_with(start) && !text.empty() && text.find('\n') == text.size() - 1;
}

}  // namespace jitscope::tests
