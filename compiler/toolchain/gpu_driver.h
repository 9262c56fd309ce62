#pragma once

#include <cstddef>
#include <memory>
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

/// Code in a device's memory, for as long as `code` lives.
struct GpuModule {
  std::shared_ptr<void> code;
  std::vector<GpuFunction> functions;
};

/// Loads the code, and finds its functions of these names.
trace::Result<GpuModule> loadCubin(const std::string& cubin, int device,
                                   const std::vector<std::string>& names);

/// A grid of blocks in one dimension, on a device that need not be the thread's current one.
struct GpuGrid {
  int device = 0;
  unsigned blocks = 1, threads = 1;
  void* stream = nullptr;  ///< of the device
};

/// Starts a function on a grid. `arguments` are the addresses of the parameters.
trace::Result<void> launchGpu(GpuFunction function, const GpuGrid& grid, void** arguments);

/// Registers that a thread of the function has, and bytes that it spills.
struct GpuFunctionCost {
  int registers = 0, localBytes = 0;
};
GpuFunctionCost costOf(GpuFunction function);

}  // namespace jitscope::compiler
