#pragma once

#include <cstdint>
#include <string>

namespace jitscope::analyzer {

/// Appends the character with the code `point`, at most 10FFFF, as UTF-8.
void appendUtf8(std::string& target, uint32_t point);

}  // namespace jitscope::analyzer
