#pragma once

#include <cstddef>
#include <filesystem>

namespace jitscope::collector {

/// How many processes run now that put their traces into `folder`, or will when they have something
/// to tell: what the recorded program left behind. As far as this user may look at them.
size_t runningProcesses(const std::filesystem::path& folder);

}  // namespace jitscope::collector
