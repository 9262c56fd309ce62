#include "analyzer/reports/xml_escape.h"

#include <cstdint>

#include "analyzer/reports/utf8.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Whether XML 1.0 has a character (https://www.w3.org/TR/xml, production 2).
bool isXmlCharacter(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xFFFE && code != 0xFFFF;
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
    const Utf8Character next = firstCharacter(text);
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
