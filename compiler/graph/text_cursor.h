#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/result.h"

namespace jitscope::compiler {

/// Reads a graph's text token by token. Keeps the first error and reads nothing more after it, so
/// that callers need not ask after each token.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  bool isAtEnd();
  bool hasFailed() const { return !error_.empty(); }
  trace::Error error() const { return trace::Error{error_}; }

  /// Takes `token` if it comes next. Words are taken whole only.
  bool accept(std::string_view token);
  void expect(std::string_view token);

  /// The rest of the line must be empty.
  void expectLineEnd();

  std::string name();    ///< a word or quoted text
  std::string word();    ///< empty when none comes
  std::string quoted();  ///< with its escapes resolved
  int64_t integer(int64_t minimum, int64_t maximum);
  uint64_t hexadecimal();

  /// A number as it is written, digits with an optional point and exponent; empty when none comes.
  std::string_view number();

  /// Whether a word, a number or this character comes next.
  bool isNext(char c);

  void fail(std::string_view expected);

 private:
  void skipBlanks();
  std::string nextText();

  std::string_view text_;
  size_t position_ = 0;
  int64_t line_ = 1;
  std::string error_;
};

}  // namespace jitscope::compiler
