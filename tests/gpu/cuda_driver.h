#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace jitscope::tests {

/// The functions of the CUDA driver that the programs here call, found while they run: so they
/// build where there is neither a GPU nor a CUDA Toolkit.
struct CudaDriver {
  decltype(&::cuInit) init = nullptr;
  decltype(&::cuDeviceGet) deviceGet = nullptr;
  decltype(&::cuDevicePrimaryCtxRetain) retainContext = nullptr;
  decltype(&::cuCtxSetCurrent) setContext = nullptr;
  decltype(&::cuCtxSynchronize) synchronize = nullptr;
  decltype(&::cuModuleLoadData) loadModule = nullptr;
  decltype(&::cuModuleGetFunction) getFunction = nullptr;
  decltype(&::cuLaunchKernel) launchKernel = nullptr;
  decltype(&::cuStreamCreate) createStream = nullptr;
  decltype(&::cuStreamSynchronize) synchronizeStream = nullptr;
  decltype(&::cuMemAlloc) allocate = nullptr;
  decltype(&::cuMemcpyDtoDAsync) copyOnDevice = nullptr;
  decltype(&::cuMemcpyHtoD) copyToDevice = nullptr;
  decltype(&::cuMemcpyDtoH) copyToHost = nullptr;
  decltype(&::cuMemsetD32Async) setMemory = nullptr;
  decltype(&::cuStreamBeginCapture) beginCapture = nullptr;
  decltype(&::cuStreamEndCapture) endCapture = nullptr;
  decltype(&::cuGraphInstantiateWithFlags) instantiate = nullptr;
  decltype(&::cuGraphLaunch) launchGraph = nullptr;
  CUresult (*startProfiler)() = nullptr;
  CUresult (*stopProfiler)() = nullptr;
};

/// A GPU made ready: a context, a stream, and two kernels.
struct CudaDevice {
  CudaDriver driver;
  CUstream stream = nullptr;
  CUfunction nothing = nullptr;  ///< does nothing
  CUfunction copy = nullptr;     ///< copies 16 bytes a thread, over and over: (from, to, count)

  void launchNothing() const;
  /// Copies `sizeBytes`, a multiple of 16, by the kernel.
  void launchCopy(CUdeviceptr from, CUdeviceptr to, size_t sizeBytes) const;
  /// Captures `nodes` launches of the kernel that does nothing, and a memset.
  CUgraphExec captureGraph(int nodes, CUdeviceptr memory) const;
};

/// Starts CUDA on the first GPU. Ends the program with status 77 where there is none, 1 when a call
/// fails.
CudaDevice startCuda();

/// Ends the program with the name of what failed, unless `result` is success.
void must(CUresult result, const char* what);

}  // namespace jitscope::tests
