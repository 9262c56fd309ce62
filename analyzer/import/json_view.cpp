#include "analyzer/import/json_view.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace jitscope::analyzer {
namespace {

constexpr size_t kBroken = std::string_view::npos;

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

void appendUtf8(std::string& text, uint32_t point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xc0 | (point >> 6));
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    text += static_cast<char>(0xe0 | (point >> 12));
    text += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (point >> 18));
    text += static_cast<char>(0x80 | ((point >> 12) & 0x3f));
    text += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  }
}

/// The four digits of a `\u` escape; none when they are not such.
std::optional<uint32_t> hexPoint(std::string_view digits) {
  uint32_t point = 0;
  if (digits.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, point, 16);
  if (error != std::errc() || end != digits.data() + 4) return std::nullopt;
  return point;
}

/// Appends the character of the `\u` escape whose digits start at `at`; gives what is behind it.
size_t appendEscaped(std::string& text, std::string_view body, size_t at) {
  constexpr uint32_t kUnknown = 0xfffd;
  const std::optional<uint32_t> first = hexPoint(body.substr(std::min(at, body.size())));
  if (!first) {
    appendUtf8(text, kUnknown);
    return at;
  }
  at += 4;
  const bool isHigh = *first >= 0xd800 && *first < 0xdc00;
  if (isHigh && body.substr(at).starts_with("\\u")) {
    const std::optional<uint32_t> second = hexPoint(body.substr(at + 2));
    if (second && *second >= 0xdc00 && *second < 0xe000) {
      appendUtf8(text, 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00));
      return at + 6;
    }
  }
  appendUtf8(text, *first >= 0xd800 && *first < 0xe000 ? kUnknown : *first);
  return at;
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

std::string_view withoutBlanks(std::string_view text) {
  const size_t begin = skipBlanks(text, 0);
  size_t end = text.size();
  while (end > begin && isBlank(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

}  // namespace

JsonView::JsonView(std::string_view text) : text_(withoutBlanks(text)) {}

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
    if (kind == 'u')
      at = appendEscaped(result, body, at);
    else
      result += plainEscape(kind);
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
