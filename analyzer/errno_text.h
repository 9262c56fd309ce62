#pragma once

#include <string>
#include <system_error>

namespace jitscope::analyzer {

/// The system's words for an errno.
inline std::string errnoText(int number) { return std::generic_category().message(number); }

}  // namespace jitscope::analyzer
