#pragma once

#include <string>
#include <vector>

namespace jitscope::collector {

/// Where the CUPTI of this process may be, best first: the one that is mapped already (LibTorch
/// brings its own), the one that the loader finds, those beside the CUDA runtime that is mapped and
/// of the installed toolkits. A process that uses two of them has none that works.
std::vector<std::string> cuptiCandidates();

}  // namespace jitscope::collector
