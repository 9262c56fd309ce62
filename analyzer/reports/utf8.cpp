#include "analyzer/reports/utf8.h"

namespace jitscope::analyzer {
namespace {

/// How many bytes a UTF-8 sequence has by its first one; 0 for a byte that starts none.
size_t sequenceLength(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

}  // namespace

Utf8Character firstCharacter(std::string_view text) {
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
  const bool isHalf = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || isHalf || code > 0x10FFFF) return {};
  return {code, length};
}

}  // namespace jitscope::analyzer
