#include "compiler/graph/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "compiler/graph/text_form.h"

namespace jitscope::compiler {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool startsWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continuesWord(char c) { return startsWord(c) || isDigit(c); }

int hexDigit(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

bool isWord(std::string_view name) {
  return !name.empty() && startsWord(name[0]) &&
         std::all_of(name.begin(), name.end(), continuesWord);
}

void TextCursor::skipBlanks() {
  while (position_ < text_.size() && text_[position_] == ' ') ++position_;
}

bool TextCursor::isAtEnd() {
  while (position_ < text_.size() && (text_[position_] == '\n' || text_[position_] == ' ')) {
    line_ += text_[position_] == '\n' ? 1 : 0;
    ++position_;
  }
  return position_ == text_.size();
}

std::string TextCursor::nextText() {
  constexpr size_t kShown = 20;
  const std::string_view rest = text_.substr(position_);
  const size_t end = std::min({rest.find('\n'), rest.size(), kShown});
  if (end != 0) return fmt::format("'{}'", rest.substr(0, end));
  return rest.empty() ? "the end" : "the end of the line";
}

void TextCursor::fail(std::string_view expected) {
  if (!hasFailed()) {
    error_ = fmt::format("line {}: expected {} but found {}", line_, expected, nextText());
  }
  position_ = text_.size();
}

bool TextCursor::isNext(char c) {
  skipBlanks();
  return position_ < text_.size() && text_[position_] == c;
}

bool TextCursor::accept(std::string_view token) {
  skipBlanks();
  const std::string_view rest = text_.substr(position_);
  if (!rest.starts_with(token)) return false;
  const bool isCutWord = continuesWord(token.back()) && rest.size() > token.size() &&
                         continuesWord(rest[token.size()]);
  if (isCutWord) return false;
  position_ += token.size();
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) fail(fmt::format("'{}'", token));
}

void TextCursor::expectLineEnd() {
  skipBlanks();
  if (position_ == text_.size()) return;
  if (text_[position_] != '\n') return fail("the end of the line");
  ++position_;
  ++line_;
}

std::string TextCursor::word() {
  skipBlanks();
  size_t end = position_;
  if (end < text_.size() && startsWord(text_[end])) {
    while (end < text_.size() && continuesWord(text_[end])) ++end;
  }
  const std::string_view found = text_.substr(position_, end - position_);
  position_ = end;
  return std::string(found);
}

std::string TextCursor::name() {
  if (isNext('"')) return quoted();
  std::string found = word();
  if (found.empty()) fail("a name");
  return found;
}

std::string TextCursor::quoted() {
  expect("\"");
  std::string result;
  while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\n') {
    const char c = text_[position_++];
    if (c != '\\') {
      result += c;
      continue;
    }
    if (position_ < text_.size() && (text_[position_] == '"' || text_[position_] == '\\')) {
      result += text_[position_++];
      continue;
    }
    const std::string_view escape = text_.substr(position_, 3);
    const int high = escape.size() == 3 && escape[0] == 'x' ? hexDigit(escape[1]) : -1;
    const int low = high >= 0 ? hexDigit(escape[2]) : -1;
    if (low < 0) {
      fail("an escape like \\x0a");
      return "";
    }
    result += static_cast<char>(high * 16 + low);
    position_ += escape.size();
  }
  expect("\"");
  return result;
}

std::string_view TextCursor::number() {
  skipBlanks();
  size_t end = position_;
  if (end < text_.size() && text_[end] == '-') ++end;
  const size_t digits = end;
  while (end < text_.size() && isDigit(text_[end])) ++end;
  if (end == digits) return {};
  if (end < text_.size() && text_[end] == '.') {
    ++end;
    while (end < text_.size() && isDigit(text_[end])) ++end;
  }
  if (end < text_.size() && text_[end] == 'e') {
    ++end;
    if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
    while (end < text_.size() && isDigit(text_[end])) ++end;
  }
  const std::string_view found = text_.substr(position_, end - position_);
  position_ = end;
  return found;
}

int64_t TextCursor::integer(int64_t minimum, int64_t maximum) {
  skipBlanks();
  int64_t value = 0;
  const char* begin = text_.data() + position_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc() || value < minimum || value > maximum) {
    fail(fmt::format("an integer from {} to {}", minimum, maximum));
    return minimum;
  }
  position_ += static_cast<size_t>(end - begin);
  return value;
}

uint64_t TextCursor::hexadecimal() {
  expect("0x");
  uint64_t value = 0;
  const char* begin = text_.data() + position_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value, 16);
  if (error != std::errc()) {
    fail("hexadecimal digits");
    return 0;
  }
  position_ += static_cast<size_t>(end - begin);
  return value;
}

}  // namespace jitscope::compiler
