#pragma once

#include <cupti.h>

#include <string>

namespace jitscope::collector {

/// Why the counters of a GPU cannot be read, and what to do about it.
std::string describeRefusal(CUptiResult result);

}  // namespace jitscope::collector
