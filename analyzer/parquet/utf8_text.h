#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// `text` with U+FFFD for each byte that is no part of a character, so that strict readers take it.
std::string toUtf8(std::string_view text);

}  // namespace jitscope::analyzer
