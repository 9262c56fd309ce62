#pragma once

#include <string>

namespace jitscope::collector {

/// The folder that the preloaded library was loaded from; what it opens itself stands beside it.
std::string ownFolder();

}  // namespace jitscope::collector
