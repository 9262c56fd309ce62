#pragma once

#include <string>
#include <string_view>

namespace jitscope::compiler {

/// Writes lines at an indentation.
class CodeText {
 public:
  void line(const std::string& text);
  void lines(std::string_view text);   ///< several, each with its end
  void open(const std::string& text);  ///< text and a brace
  void close();
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int depth_ = 0;
};

/// The name under which generated code has a buffer's memory: an identifier, and no word of C++.
std::string pointerName(std::string_view name);

}  // namespace jitscope::compiler
