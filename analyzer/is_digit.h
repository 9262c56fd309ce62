#pragma once

namespace jitscope::analyzer {

/// Whether it is one of 0 to 9, whatever the locale.
constexpr bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace jitscope::analyzer
