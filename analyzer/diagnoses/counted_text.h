#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// A text about `count` things: `{}` becomes the count, and of each `[one|many]` the part that fits
/// it stays: "{} [kernel has|kernels have] no time".
std::string countedText(std::string_view text, int64_t count);

}  // namespace jitscope::analyzer
