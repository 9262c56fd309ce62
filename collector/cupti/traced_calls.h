#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jitscope::collector {

/// The calls of the CUDA runtime that get a row: what starts work on a device, waits for it, or
/// takes and gives memory. All others (cudaGetDevice alone is most of all calls) cost time and tell
/// nothing.
std::span<const uint32_t> tracedRuntimeCalls();

/// The same of the driver. A call of the runtime hides those that it makes itself.
std::span<const uint32_t> tracedDriverCalls();

/// The name that a person knows a call by, from CUPTI's: "cudaLaunchKernel_ptsz_v7000" is
/// "cudaLaunchKernel".
std::string plainCallName(std::string_view name);

}  // namespace jitscope::collector
