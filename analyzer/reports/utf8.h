#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jitscope::analyzer {

/// A character and how many bytes it takes; 0 of them where there is none.
struct Utf8Character {
  uint32_t code = 0;
  size_t length = 0;
};

/// The character at the front of a text, which must not be empty. Bytes that are longer than they
/// need to be are none, nor are halves of a UTF-16 pair and codes beyond the last character.
Utf8Character firstCharacter(std::string_view text);

}  // namespace jitscope::analyzer
