#include "analyzer/reports/xml_escape.h"

#include <cstdint>

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// How many bytes a UTF-8 sequence has by its first one; 0 for a byte that starts none.
size_t sequenceLength(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

/// Reads the character at the front; `length` 0 when there is none.
struct Character {
  uint32_t code = 0;
  size_t length = 0;
};

Character firstOf(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const size_t length = sequenceLength(first);
  if (length == 0 || length > text.size()) return {};
  constexpr uint32_t kPayload[] = {0, 0x7F, 0x1F, 0x0F, 0x07},
                     kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t code = first & kPayload[length];
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3FU);
  }
  if (code < kSmallest[length]) return {};
  return {code, length};
}

/// The characters of XML 1.0 (https://www.w3.org/TR/xml, production 2).
bool isXmlCharacter(uint32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xD800) ||
         (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code < 0x110000);
}

std::string_view entityOf(uint32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string xmlEscaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character next = firstOf(text);
    const std::string_view entity = entityOf(next.code);
    if (next.length == 0 || !isXmlCharacter(next.code))
      result += kReplacement;
    else if (!entity.empty())
      result += entity;
    else
      result += text.substr(0, next.length);
    text.remove_prefix(next.length == 0 ? 1 : next.length);
  }
  return result;
}

}  // namespace jitscope::analyzer
