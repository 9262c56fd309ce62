#pragma once

#include <string_view>

namespace jitscope::analyzer {

/// Whether Inductor generated a kernel, by its name: it is called after its kind. A user's own
/// Triton kernels have any name.
bool isGeneratedKernel(std::string_view name);

}  // namespace jitscope::analyzer
