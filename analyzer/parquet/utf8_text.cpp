#include "analyzer/parquet/utf8_text.h"

#include "analyzer/reports/utf8.h"

namespace jitscope::analyzer {
namespace {

bool isCharacter(const Utf8Character& character) {
  const bool isHalf = character.code >= 0xD800 && character.code <= 0xDFFF;
  return character.length > 0 && !isHalf && character.code <= 0x10FFFF;
}

}  // namespace

std::string toUtf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Utf8Character character = firstCharacter(text);
    if (isCharacter(character))
      result += text.substr(0, character.length);
    else
      result += "\xEF\xBF\xBD";
    text.remove_prefix(isCharacter(character) ? character.length : 1);
  }
  return result;
}

}  // namespace jitscope::analyzer
