#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trace/result.h"

namespace jitscope::compiler {

/// A kernel in a GPU's memory.
using GpuFunction = void*;

/// What generated kernels need of NVIDIA's driver and of its run-time compiler. Both are opened
/// when they are first needed, so that nothing of CUDA is linked; a process that runs LibTorch on a
/// GPU has them. Safe from any thread.

/// The device's architecture as compilers call it: "sm_90".
trace::Result<std::string> gpuArchitecture(int device);

/// The machine code of a CUDA C++ source for an architecture, or the compiler's words. Needs no
/// GPU.
trace::Result<std::string> compileCuda(const std::string& source, const std::string& architecture);

/// The code in the device's memory, for as long as the process lives, and its functions of these
/// names.
trace::Result<std::vector<GpuFunction>> loadCubin(const std::string& cubin, int device,
                                                  const std::vector<std::string>& names);

/// Starts a grid of blocks in one dimension. `arguments` are the addresses of the parameters.
trace::Result<void> launchGpu(GpuFunction function, unsigned blocks, unsigned threads, void* stream,
                              void** arguments);

/// Registers that a thread of the function has, and bytes that it spills.
struct GpuFunctionCost {
  int registers = 0, localBytes = 0;
};
GpuFunctionCost costOf(GpuFunction function);

}  // namespace jitscope::compiler
