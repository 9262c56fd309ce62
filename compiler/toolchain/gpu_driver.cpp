#include "compiler/toolchain/gpu_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <map>
#include <mutex>

namespace jitscope::compiler {
namespace {

// The driver's and the compiler's C interfaces, as far as they are used. The numbers are those of
// cuda.h.
constexpr int kMajorCapability = 75, kMinorCapability = 76;
constexpr int kLocalBytes = 3, kRegisters = 4;

struct Driver {
  int (*init)(unsigned) = nullptr;
  int (*deviceGet)(int*, int) = nullptr;
  int (*deviceGetAttribute)(int*, int, int) = nullptr;
  int (*primaryCtxRetain)(void**, int) = nullptr;
  int (*ctxGetCurrent)(void**) = nullptr;
  int (*ctxPushCurrent)(void*) = nullptr;
  int (*ctxPopCurrent)(void**) = nullptr;
  int (*moduleLoadData)(void**, const void*) = nullptr;
  int (*moduleUnload)(void*) = nullptr;
  int (*moduleGetFunction)(void**, void*, const char*) = nullptr;
  int (*funcGetAttribute)(int*, int, void*) = nullptr;
  int (*launchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      void*, void**, void**) = nullptr;
  int (*getErrorString)(int, const char**) = nullptr;
  bool isComplete = true;
};

struct RunTimeCompiler {
  int (*createProgram)(void**, const char*, const char*, int, const char* const*,
                       const char* const*) = nullptr;
  int (*compileProgram)(void*, int, const char* const*) = nullptr;
  int (*getProgramLogSize)(void*, size_t*) = nullptr;
  int (*getProgramLog)(void*, char*) = nullptr;
  int (*getCubinSize)(void*, size_t*) = nullptr;
  int (*getCubin)(void*, char*) = nullptr;
  int (*destroyProgram)(void**) = nullptr;
  bool isComplete = true;
};

template <class Table, class Function>
void take(void* library, const char* name, Table& table, Function& function) {
  function = library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
  table.isComplete &= function != nullptr;
}

Driver openDriver() {
  Driver driver;
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  take(library, "cuInit", driver, driver.init);
  take(library, "cuDeviceGet", driver, driver.deviceGet);
  take(library, "cuDeviceGetAttribute", driver, driver.deviceGetAttribute);
  take(library, "cuDevicePrimaryCtxRetain", driver, driver.primaryCtxRetain);
  take(library, "cuCtxGetCurrent", driver, driver.ctxGetCurrent);
  take(library, "cuCtxPushCurrent_v2", driver, driver.ctxPushCurrent);
  take(library, "cuCtxPopCurrent_v2", driver, driver.ctxPopCurrent);
  take(library, "cuModuleLoadData", driver, driver.moduleLoadData);
  take(library, "cuModuleUnload", driver, driver.moduleUnload);
  take(library, "cuModuleGetFunction", driver, driver.moduleGetFunction);
  take(library, "cuFuncGetAttribute", driver, driver.funcGetAttribute);
  take(library, "cuLaunchKernel", driver, driver.launchKernel);
  take(library, "cuGetErrorString", driver, driver.getErrorString);
  if (driver.isComplete) driver.isComplete = driver.init(0) == 0;
  return driver;
}

/// The compiler of LibTorch's own CUDA, else whichever the machine has.
void* openNvrtc() {
  constexpr std::array kNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  for (const char* name : kNames) {
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  }
  // In a Python environment it lies beside torch: …/torch/lib/libc10.so, …/nvidia/cu13/lib.
  Dl_info info;
  void* known = dlsym(RTLD_DEFAULT, "cudnnGetVersion");
  void* c10 = dlsym(RTLD_DEFAULT, "_ZN3c1017MessageLoggerC1EPKcii");
  for (void* address : {c10, known}) {
    if (!address || dladdr(address, &info) == 0) continue;
    const std::string file = info.dli_fname;
    const std::string site = file.substr(0, file.rfind("/torch/"));
    for (const char* folder :
         {"/nvidia/cu13/lib/libnvrtc.so.13", "/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"}) {
      if (void* library = dlopen((site + folder).c_str(), RTLD_NOW)) return library;
    }
  }
  return nullptr;
}

RunTimeCompiler openCompiler() {
  RunTimeCompiler compiler;
  void* library = openNvrtc();
  take(library, "nvrtcCreateProgram", compiler, compiler.createProgram);
  take(library, "nvrtcCompileProgram", compiler, compiler.compileProgram);
  take(library, "nvrtcGetProgramLogSize", compiler, compiler.getProgramLogSize);
  take(library, "nvrtcGetProgramLog", compiler, compiler.getProgramLog);
  take(library, "nvrtcGetCUBINSize", compiler, compiler.getCubinSize);
  take(library, "nvrtcGetCUBIN", compiler, compiler.getCubin);
  take(library, "nvrtcDestroyProgram", compiler, compiler.destroyProgram);
  return compiler;
}

const Driver& driver() {
  static const Driver opened = openDriver();
  return opened;
}

trace::Error driverError(const char* what, int status) {
  const char* text = nullptr;
  driver().getErrorString(status, &text);
  return {fmt::format("{}: {}", what, text ? text : "unknown error")};
}

struct DeviceContext {
  void* context = nullptr;
  int status = 0;
};

/// The device's context, which LibTorch uses too. Kept for the life of the process, as LibTorch
/// keeps it.
DeviceContext contextOf(int device) {
  // Never destroyed: kernels may be unloaded while the process ends.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<int, DeviceContext>;
  const std::lock_guard lock(mutex);
  const auto [found, isNew] = known.try_emplace(device);
  if (!isNew) return found->second;
  DeviceContext& made = found->second;
  int handle = 0;
  made.status = driver().deviceGet(&handle, device);
  if (made.status == 0) made.status = driver().primaryCtxRetain(&made.context, handle);
  return made;
}

/// The device's context on the calling thread for as long as this lives.
class CurrentContext {
 public:
  explicit CurrentContext(int device) {
    const DeviceContext wanted = contextOf(device);
    status_ = wanted.status;
    void* current = nullptr;
    if (status_ != 0 || (driver().ctxGetCurrent(&current) == 0 && current == wanted.context))
      return;
    status_ = driver().ctxPushCurrent(wanted.context);
    isPushed_ = status_ == 0;
  }
  ~CurrentContext() {
    void* popped = nullptr;
    if (isPushed_) driver().ctxPopCurrent(&popped);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  int status() const { return status_; }

 private:
  int status_ = 0;
  bool isPushed_ = false;
};

std::string logOf(const RunTimeCompiler& compiler, void* program) {
  size_t size = 0;
  if (compiler.getProgramLogSize(program, &size) != 0 || size == 0) return "it said nothing";
  std::string log(size, '\0');
  compiler.getProgramLog(program, log.data());
  const size_t error = log.find("error");
  const size_t begin = error == std::string::npos ? 0 : log.rfind('\n', error) + 1;
  return log.substr(begin, log.find('\n', begin + 1) - begin);
}

}  // namespace

trace::Result<std::string> gpuArchitecture(int device) {
  if (!driver().isComplete) return trace::Error{"no NVIDIA driver on this machine"};
  int handle = 0, major = 0, minor = 0;
  if (const int status = driver().deviceGet(&handle, device); status != 0) {
    return driverError("cannot find the GPU", status);
  }
  driver().deviceGetAttribute(&major, kMajorCapability, handle);
  driver().deviceGetAttribute(&minor, kMinorCapability, handle);
  return fmt::format("sm_{}{}", major, minor);
}

trace::Result<std::string> compileCuda(const std::string& source, const std::string& architecture) {
  static const RunTimeCompiler compiler = openCompiler();
  if (!compiler.isComplete) {
    return trace::Error{"no NVRTC on this machine: install libnvrtc of CUDA 12 or 13"};
  }
  const std::string target = "--gpu-architecture=" + architecture;
  const std::array options{target.c_str(), "--std=c++17", "--extra-device-vectorization"};
  void* program = nullptr;
  compiler.createProgram(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr);
  trace::Result<std::string> result = std::string();
  if (compiler.compileProgram(program, static_cast<int>(options.size()), options.data()) != 0) {
    result = trace::Error{"NVRTC cannot compile a generated kernel: " + logOf(compiler, program)};
  } else {
    size_t size = 0;
    compiler.getCubinSize(program, &size);
    result->resize(size);
    compiler.getCubin(program, result->data());
  }
  compiler.destroyProgram(&program);
  return result;
}

trace::Result<GpuModule> loadCubin(const std::string& cubin, int device,
                                   const std::vector<std::string>& names) {
  const CurrentContext context(device);
  if (context.status() != 0) return driverError("cannot use the GPU", context.status());
  void* module = nullptr;
  if (const int status = driver().moduleLoadData(&module, cubin.data()); status != 0) {
    return driverError("cannot load generated kernels", status);
  }
  GpuModule loaded;
  loaded.code = {module, [device](void* code) {
                   const CurrentContext current(device);
                   // Fails harmlessly where the process is ending and the driver has gone.
                   if (current.status() == 0) driver().moduleUnload(code);
                 }};
  for (const std::string& name : names) {
    void* function = nullptr;
    if (const int status = driver().moduleGetFunction(&function, module, name.c_str());
        status != 0) {
      return driverError(name.c_str(), status);
    }
    loaded.functions.push_back(function);
  }
  return loaded;
}

trace::Result<void> launchGpu(GpuFunction function, const GpuGrid& grid, void** arguments) {
  const CurrentContext context(grid.device);
  if (context.status() != 0) return driverError("cannot use the GPU", context.status());
  const int status = driver().launchKernel(function, grid.blocks, 1, 1, grid.threads, 1, 1, 0,
                                           grid.stream, arguments, nullptr);
  if (status != 0) return driverError("cannot start the kernel", status);
  return {};
}

GpuFunctionCost costOf(GpuFunction function) {
  GpuFunctionCost cost;
  driver().funcGetAttribute(&cost.registers, kRegisters, function);
  driver().funcGetAttribute(&cost.localBytes, kLocalBytes, function);
  return cost;
}

}  // namespace jitscope::compiler
