#include "compiler/codegen/code_text.h"

#include <algorithm>
#include <cctype>

namespace jitscope::compiler {

void CodeText::line(const std::string& text) {
  if (text.empty()) return;
  // A pragma stands where it is read, not where it belongs.
  text_ += text.starts_with('#') ? text : std::string(static_cast<size_t>(2 * depth_), ' ') + text;
  text_ += '\n';
}

void CodeText::lines(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    line(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void CodeText::open(const std::string& text) {
  line(text.empty() ? "{" : text + " {");
  ++depth_;
}

void CodeText::close() {
  --depth_;
  line("}");
}

std::string pointerName(std::string_view name) {
  std::string text = "p_";
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return text;
}

}  // namespace jitscope::compiler
