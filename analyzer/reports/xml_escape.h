#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// `text` as it may stand in XML and HTML, in elements and in attributes: markup as entities;
/// characters that XML 1.0 cannot hold, and bytes that are not UTF-8, as U+FFFD.
std::string xmlEscaped(std::string_view text);

}  // namespace jitscope::analyzer
