#pragma once

#include <string>

namespace jitscope::trace::format {

/// The words of the system for an errno, with a small first letter: "no space left on device".
std::string describeErrorNumber(int number);

}  // namespace jitscope::trace::format
