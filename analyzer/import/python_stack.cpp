#include "analyzer/import/python_stack.h"

#include <optional>

namespace jitscope::analyzer {
namespace {

/// `File "x.py", line 3, in f` → `x.py:3 f`.
std::optional<std::string> frameOf(std::string_view line) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kFunction = ", in ";
  line = trimmedText(line);
  if (!line.starts_with(kFile)) return std::nullopt;
  const size_t lineMark = line.find(kLine);
  if (lineMark == std::string_view::npos) return std::nullopt;
  std::string frame(line.substr(kFile.size(), lineMark - kFile.size()));
  const std::string_view rest = line.substr(lineMark + kLine.size());
  const size_t digits = rest.find_first_not_of("0123456789");
  if (digits == 0) return std::nullopt;
  frame += ':';
  frame += rest.substr(0, digits);
  const size_t function = rest.find(kFunction);
  if (function != std::string_view::npos) {
    frame += ' ';
    frame += rest.substr(function + kFunction.size());
  }
  return frame;
}

}  // namespace

std::string_view trimmedText(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string stackOfTraceback(std::string_view traceback) {
  std::string stack;
  forEachLine(traceback, [&](std::string_view line) {
    const std::optional<std::string> frame = frameOf(line);
    if (!frame) return;
    stack = stack.empty() ? *frame : *frame + '\n' + stack;
  });
  return stack;
}

}  // namespace jitscope::analyzer
