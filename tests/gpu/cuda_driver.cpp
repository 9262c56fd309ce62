#include "tests/gpu/cuda_driver.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace jitscope::tests {
namespace {

// The driver compiles it for whatever GPU there is.
constexpr const char* kKernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry do_nothing()
{
  ret;
}
.visible .entry copy_sixteen(.param .u64 from, .param .u64 to, .param .u64 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  .reg .f32 %f<5>;
  .reg .b64 %d<12>;
  ld.param.u64 %d1, [from];
  ld.param.u64 %d2, [to];
  ld.param.u64 %d3, [count];
  cvta.to.global.u64 %d4, %d1;
  cvta.to.global.u64 %d5, %d2;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %nctaid.x;
  mul.wide.u32 %d6, %r1, %r2;
  cvt.u64.u32 %d7, %r3;
  add.u64 %d6, %d6, %d7;
  mul.wide.u32 %d8, %r2, %r4;
next:
  setp.ge.u64 %p1, %d6, %d3;
  @%p1 bra done;
  shl.b64 %d9, %d6, 4;
  add.u64 %d10, %d4, %d9;
  add.u64 %d11, %d5, %d9;
  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d10];
  st.global.v4.f32 [%d11], {%f1, %f2, %f3, %f4};
  add.u64 %d6, %d6, %d8;
  bra next;
done:
  ret;
}
)";

CudaDriver findDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "no libcuda.so.1: there is no GPU here\n");
    std::exit(77);
  }
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    must(function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND, name);
  };
  CudaDriver driver;
  find("cuInit", driver.init);
  find("cuDeviceGet", driver.deviceGet);
  find("cuDevicePrimaryCtxRetain", driver.retainContext);
  find("cuCtxSetCurrent", driver.setContext);
  find("cuCtxSynchronize", driver.synchronize);
  find("cuModuleLoadData", driver.loadModule);
  find("cuModuleGetFunction", driver.getFunction);
  find("cuLaunchKernel", driver.launchKernel);
  find("cuStreamCreate", driver.createStream);
  find("cuStreamSynchronize", driver.synchronizeStream);
  find("cuMemAlloc_v2", driver.allocate);
  find("cuMemcpyDtoDAsync_v2", driver.copyOnDevice);
  find("cuMemcpyHtoD_v2", driver.copyToDevice);
  find("cuMemcpyDtoH_v2", driver.copyToHost);
  find("cuMemsetD32Async", driver.setMemory);
  find("cuStreamBeginCapture_v2", driver.beginCapture);
  find("cuStreamEndCapture", driver.endCapture);
  find("cuGraphInstantiateWithFlags", driver.instantiate);
  find("cuGraphLaunch", driver.launchGraph);
  find("cuProfilerStart", driver.startProfiler);
  find("cuProfilerStop", driver.stopProfiler);
  return driver;
}

}  // namespace

void must(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s failed: CUresult %d\n", what, result);
  std::exit(1);
}

CudaDevice startCuda() {
  CudaDevice gpu;
  gpu.driver = findDriver();
  if (gpu.driver.init(0) != CUDA_SUCCESS) {
    std::fprintf(stderr, "CUDA cannot be started: there is no GPU here\n");
    std::exit(77);
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  must(gpu.driver.deviceGet(&device, 0), "cuDeviceGet");
  must(gpu.driver.retainContext(&context, device), "cuDevicePrimaryCtxRetain");
  must(gpu.driver.setContext(context), "cuCtxSetCurrent");
  must(gpu.driver.createStream(&gpu.stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  must(gpu.driver.loadModule(&module, kKernels), "cuModuleLoadData");
  must(gpu.driver.getFunction(&gpu.nothing, module, "do_nothing"), "do_nothing");
  must(gpu.driver.getFunction(&gpu.copy, module, "copy_sixteen"), "copy_sixteen");
  return gpu;
}

void CudaDevice::launchNothing() const {
  must(driver.launchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr),
       "cuLaunchKernel");
}

void CudaDevice::launchCopy(CUdeviceptr from, CUdeviceptr to, size_t sizeBytes) const {
  uint64_t count = sizeBytes / 16;
  void* parameters[] = {&from, &to, &count};
  must(driver.launchKernel(copy, 2048, 1, 1, 256, 1, 1, 0, stream, parameters, nullptr),
       "cuLaunchKernel");
}

CUgraphExec CudaDevice::captureGraph(int nodes, CUdeviceptr memory) const {
  CUgraph graph = nullptr;
  CUgraphExec ready = nullptr;
  must(driver.beginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
  for (int i = 0; i < nodes; ++i) launchNothing();
  must(driver.setMemory(memory, 0, 16, stream), "cuMemsetD32Async");
  must(driver.endCapture(stream, &graph), "cuStreamEndCapture");
  must(driver.instantiate(&ready, graph, 0), "cuGraphInstantiateWithFlags");
  return ready;
}

}  // namespace jitscope::tests
