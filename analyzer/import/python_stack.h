#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// The calls in a traceback as Python prints it (`File "x.py", line 3, in f`, outermost first) as a
/// stack of a trace: `x.py:3 f`, one a line, innermost first. Empty when there are none.
std::string stackOfTraceback(std::string_view traceback);

/// Calls `take(line)` for each line of `text`, without its end.
template <class Take>
void forEachLine(std::string_view text, Take take) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

/// `text` without blanks around it.
std::string_view trimmedText(std::string_view text);

}  // namespace jitscope::analyzer
