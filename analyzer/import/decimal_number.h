#pragma once

#include <string_view>

namespace jitscope::analyzer {

/// The number at the front of `text`: digits, and after a point up to nine of its fraction, in any
/// locale; negative when there is none.
double numberAt(std::string_view text);

}  // namespace jitscope::analyzer
