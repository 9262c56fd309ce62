#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// `text` as it is when it has at most `most` characters, else its first ones and "…", `most`
/// together. Never cut within a character; a byte that is no UTF-8 counts as one. Looks no further
/// than it keeps, however long the text is. `most` is at least 1.
std::string shortened(std::string_view text, size_t most);

}  // namespace jitscope::analyzer
