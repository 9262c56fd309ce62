#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// A kernel for processors: a C function
///
///     void NAME(void* const* buffers, const long long* sizes, long long begin, long long end)
///
/// that does the items `begin`…`end` of its work. Items are independent of each other, so that
/// threads can share them.
struct CpuKernel {
  std::string name;
  std::string code;                 ///< the function alone
  std::set<std::string> functions;  ///< of the prelude that it calls
  std::vector<BufferId> buffers;    ///< in the order of the pointers
  Index items;
  Index pointsPerItem;  ///< of all its loops
};

/// "cpp_fused_add_mean_mul_0": what it does, as torch names its kernels.
std::string kernelName(std::string_view prefix, const LoopNest& nest, size_t number);

/// The kernel of a nest. Adds scalars to the program.
CpuKernel generateCpu(LoopProgram& program, const LoopNest& nest, const std::string& name);

/// One source of all these kernels, which includes nothing.
std::string cpuSource(const std::vector<CpuKernel>& kernels);

}  // namespace jitscope::compiler
