#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// What the Triton kernels of code that Inductor wrote read and write by the sizes of the buffers
/// that they are given, in bytes, by their names: each buffer once, one that is changed in place
/// twice. Kernels are left out that are given a buffer whose size does not stand in the code
/// (sizes that are symbols, results of other operators), and those that are launched with buffers
/// of several sizes.
std::map<std::string, int64_t, std::less<>> inductorTraffic(std::string_view outputCode);

}  // namespace jitscope::analyzer
