#include "analyzer/import/json_cursor.h"

#include <algorithm>
#include <charconv>

#include "analyzer/import/append_utf8.h"

namespace jitscope::analyzer {
namespace {

/// Four hexadecimal digits; -1 for anything else.
int32_t hexUnit(std::string_view digits) {
  if (digits.size() < 4) return -1;
  int32_t unit = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  return problem == std::errc() && end == digits.data() + 4 && digits[0] != '-' ? unit : -1;
}

}  // namespace

size_t appendUnicode(std::string& target, std::string_view text) {
  constexpr size_t kLength = 6;
  constexpr uint32_t kReplacement = 0xfffd;
  const int32_t unit = hexUnit(text.substr(std::min<size_t>(2, text.size())));
  if (unit < 0) return 0;
  auto point = static_cast<uint32_t>(unit);
  if ((point & 0xf800) != 0xd800) {
    appendUtf8(target, point);
    return kLength;
  }
  const std::string_view rest = text.substr(kLength);
  const int32_t low = rest.starts_with("\\u") ? hexUnit(rest.substr(2)) : -1;
  const bool isPair = point < 0xdc00 && low >= 0xdc00 && low < 0xe000;
  if (isPair) point = 0x10000 + ((point - 0xd800) << 10) + (static_cast<uint32_t>(low) - 0xdc00);
  appendUtf8(target, isPair ? point : kReplacement);
  return isPair ? 2 * kLength : kLength;
}

std::string_view behindBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string_view jsonOf(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  return behindBlanks(head);
}

std::string_view decode(const JsonText& text, std::string& scratch) {
  if (!text.hasEscapes) return text.raw;
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  scratch.clear();
  for (size_t at = 0; at < text.raw.size();) {
    const char byte = text.raw[at];
    const char next = at + 1 < text.raw.size() ? text.raw[at + 1] : '\0';
    const size_t name = kNames.find(next);
    size_t length = 1;
    if (byte == '\\' && next == 'u') {
      length = appendUnicode(scratch, text.raw.substr(at));
      if (length == 0) scratch.push_back(text.raw[at + length++]);
    } else if (byte == '\\' && next != '\0' && name != std::string_view::npos) {
      scratch.push_back(kMeanings[name]);
      length = 2;
    } else {
      scratch.push_back(byte);
    }
    at += length;
  }
  return scratch;
}

}  // namespace jitscope::analyzer
