#include "analyzer/import/json_view.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "analyzer/import/json_cursor.h"
#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kBroken = std::string_view::npos;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  ///< U+FFFD

bool isBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

size_t skipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && isBlank(text[at])) ++at;
  return at;
}

/// Behind the string whose opening quote is at `at`.
size_t skipString(std::string_view text, size_t at) {
  for (size_t next = at + 1; next < text.size();) {
    const void* const found = std::memchr(text.data() + next, '"', text.size() - next);
    if (found == nullptr) return kBroken;
    const auto quote = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    size_t escapes = quote;
    while (escapes > at + 1 && text[escapes - 1] == '\\') --escapes;
    if ((quote - escapes) % 2 == 0) return quote + 1;
    next = quote + 1;
  }
  return kBroken;
}

/// Behind the object or list that opens at `at`.
size_t skipNested(std::string_view text, size_t at) {
  size_t depth = 0;
  for (size_t i = at; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i = skipString(text, i);
      if (i == kBroken) return kBroken;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return i + 1;
    ++i;
  }
  return kBroken;
}

/// Behind the value that starts at `at`.
size_t skipValue(std::string_view text, size_t at) {
  if (at >= text.size()) return kBroken;
  if (text[at] == '"') return skipString(text, at);
  if (text[at] == '{' || text[at] == '[') return skipNested(text, at);
  size_t end = at;
  while (end < text.size() && !isBlank(text[end]) && text[end] != ',' && text[end] != '}' &&
         text[end] != ']') {
    ++end;
  }
  return end == at ? kBroken : end;
}

/// Behind the comma, at the closing bracket, or broken.
size_t skipComma(std::string_view text, size_t at, char close) {
  at = skipBlanks(text, at);
  if (at >= text.size()) return kBroken;
  if (text[at] == close) return at;
  return text[at] == ',' ? skipBlanks(text, at + 1) : kBroken;
}

char plainEscape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

}  // namespace

JsonView::JsonView(std::string_view text) : text_(trimmedText(text)) {}

int64_t JsonView::integer(int64_t otherwise) const {
  int64_t number = 0;
  const char* const end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data(), end, number);
  if (error == std::errc() && stop == end) return number;
  const double value = real(NAN);
  return std::abs(value) < 9e18 ? static_cast<int64_t>(value) : otherwise;
}

double JsonView::real(double otherwise) const {
  double number = 0;
  const char* const end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data(), end, number);
  return error == std::errc() && stop == end ? number : otherwise;
}

std::string_view JsonView::plain() const {
  if (!isString() || text_.size() < 2 || text_.back() != '"') return {};
  const std::string_view body = text_.substr(1, text_.size() - 2);
  return body.find('\\') == std::string_view::npos ? body : std::string_view();
}

std::string JsonView::string() const {
  std::string result;
  if (!isString() || text_.size() < 2) return result;
  const std::string_view body = text_.substr(1, text_.size() - 2);
  for (size_t at = 0; at < body.size();) {
    const size_t escape = std::min(body.find('\\', at), body.size());
    result += body.substr(at, escape - at);
    if (escape + 1 >= body.size()) break;
    const char kind = body[escape + 1];
    at = escape + 2;
    if (kind != 'u') {
      result += plainEscape(kind);
    } else if (const size_t length = appendUnicode(result, body.substr(escape)); length > 0) {
      at = escape + length;
    } else {
      result += kReplacement;
    }
  }
  return result;
}

JsonView JsonView::operator[](std::string_view key) const {
  JsonView found;
  forEachMember([&](std::string_view name, JsonView value) {
    if (name != key) return true;
    found = value;
    return false;
  });
  return found;
}

bool JsonView::forEachMember(
    const std::function<bool(std::string_view key, JsonView value)>& visit) const {
  if (!isObject()) return false;
  size_t at = skipBlanks(text_, 1);
  while (at < text_.size() && text_[at] != '}') {
    if (text_[at] != '"') return false;
    const size_t keyEnd = skipString(text_, at);
    if (keyEnd == kBroken) return false;
    const std::string_view key = text_.substr(at + 1, keyEnd - at - 2);
    at = skipBlanks(text_, keyEnd);
    if (at >= text_.size() || text_[at] != ':') return false;
    at = skipBlanks(text_, at + 1);
    const size_t end = skipValue(text_, at);
    if (end == kBroken) return false;
    JsonView value;
    value.text_ = text_.substr(at, end - at);
    if (!visit(key, value)) return false;
    at = skipComma(text_, end, '}');
    if (at == kBroken) return false;
  }
  return at + 1 == text_.size();
}

bool JsonView::forEachItem(const std::function<bool(JsonView item)>& visit) const {
  if (!isList()) return false;
  size_t at = skipBlanks(text_, 1);
  while (at < text_.size() && text_[at] != ']') {
    const size_t end = skipValue(text_, at);
    if (end == kBroken) return false;
    JsonView item;
    item.text_ = text_.substr(at, end - at);
    if (!visit(item)) return false;
    at = skipComma(text_, end, ']');
    if (at == kBroken) return false;
  }
  return at + 1 == text_.size();
}

}  // namespace jitscope::analyzer
