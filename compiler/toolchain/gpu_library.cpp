#include <algorithm>
#include <memory>
#include <mutex>

#include "compiler/codegen/cuda_kernel.h"
#include "compiler/toolchain/gpu_driver.h"
#include "compiler/toolchain/kernel_library.h"

namespace jitscope::compiler {
namespace {

/// A kernel in the device's memory.
struct GpuKernel {
  GpuFunction function = nullptr;
  CudaKernel facts;  ///< without its code
};

/// The device that the program's memory is on.
int deviceOf(const LoopProgram& program) {
  for (const LoopBuffer& buffer : program.buffers) {
    if (buffer.device.kind == 1) return std::max<int>(buffer.device.index, 0);
  }
  return 0;
}

/// Kernels of the forms, one a nest, as source and as kernels that can be launched.
struct GpuProgram {
  std::string source;
  int device = 0;
  std::shared_ptr<void> code;  ///< what the kernels' functions are in
  std::vector<GpuKernel> kernels;
};

std::vector<CudaKernel> generateAll(LoopProgram& program, std::vector<CudaForm>& forms,
                                    const CudaForm& first) {
  std::vector<CudaKernel> kernels;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if (!std::holds_alternative<LoopNest>(program.steps[i])) continue;
    if (forms.size() == kernels.size()) forms.push_back(first);
    const LoopNest nest = std::get<LoopNest>(program.steps[i]);
    kernels.push_back(generateCuda(program, nest, kernels.size(), forms[kernels.size()]));
  }
  return kernels;
}

/// Takes registers from kernels whose threads spill them to memory, which costs more than reading a
/// row again. Whether there were any.
bool reduceSpills(const std::vector<GpuFunction>& functions, std::vector<CudaForm>& forms) {
  bool hasSpills = false;
  for (size_t i = 0; i < functions.size(); ++i) {
    int64_t& registers = forms[i].rowRegisters;
    if (costOf(functions[i]).localBytes == 0 || registers == 0) continue;
    registers = registers > 16 ? registers / 2 : 0;
    hasSpills = true;
  }
  return hasSpills;
}

trace::Result<GpuProgram> build(LoopProgram& program, const CudaForm& first) {
  const int device = deviceOf(program);
  const auto architecture = gpuArchitecture(device);
  if (!architecture) return architecture.error();
  std::vector<CudaForm> forms;
  for (;;) {
    std::vector<CudaKernel> kernels = generateAll(program, forms, first);
    std::vector<std::string> names;
    names.reserve(kernels.size());
    for (const CudaKernel& kernel : kernels) names.push_back(kernel.name);
    GpuProgram built{cudaSource(kernels), device, {}, {}};
    const auto cubin = compileCuda(built.source, *architecture);
    if (!cubin) return cubin.error();
    const auto loaded = loadCubin(*cubin, device, names);
    if (!loaded) return loaded.error();
    if (reduceSpills(loaded->functions, forms)) continue;
    built.code = loaded->code;
    for (size_t i = 0; i < kernels.size(); ++i) {
      kernels[i].code.clear();
      built.kernels.push_back({loaded->functions[i], std::move(kernels[i])});
    }
    return built;
  }
}

class GpuLibrary final : public KernelLibrary {
 public:
  GpuLibrary(const LoopProgram& program, GpuProgram built)
      : program_(program), vectors_(std::move(built)) {
    source_ = vectors_.source;
    for (const GpuKernel& kernel : vectors_.kernels) {
      kernels_.push_back({kernel.facts.name, kernel.facts.buffers});
    }
  }

  trace::Result<void> launch(size_t kernel, std::span<void* const> memory,
                             std::span<const int64_t> symbols,
                             const LaunchPlace& place) const override {
    const GpuKernel* chosen = &vectors_.kernels[kernel];
    if (!isAligned(chosen->facts, memory, symbols)) {
      const auto plain = withoutVectors();
      if (!plain) return plain.error();
      chosen = &(*plain)->kernels[kernel];
    }
    const int64_t blocks = chosen->facts.blocks.evaluate(symbols);
    if (blocks == 0) return {};
    if (blocks > INT32_MAX) return trace::Error{"more blocks than a grid has"};
    std::vector<void*> arguments;
    arguments.reserve(memory.size() + symbols.size());
    for (void* const& address : memory)
      arguments.push_back(static_cast<void*>(const_cast<void**>(&address)));
    for (const int64_t& symbol : symbols) arguments.push_back(const_cast<int64_t*>(&symbol));
    const GpuGrid grid{vectors_.device, static_cast<unsigned>(blocks),
                       static_cast<unsigned>(chosen->facts.threads), place.stream};
    return launchGpu(chosen->function, grid, arguments.data());
  }

 private:
  static bool isAligned(const CudaKernel& kernel, std::span<void* const> memory,
                        std::span<const int64_t> symbols) {
    for (size_t i = 0; i < memory.size(); ++i) {
      if (reinterpret_cast<uintptr_t>(memory[i]) % static_cast<uintptr_t>(kernel.alignments[i]) !=
          0) {
        return false;
      }
    }
    return std::all_of(kernel.multiples.begin(), kernel.multiples.end(), [&](const auto& multiple) {
      return multiple.first.evaluate(symbols) % multiple.second == 0;
    });
  }

  /// The same kernels for memory that vectors do not fit, made when it is first met.
  trace::Result<const GpuProgram*> withoutVectors() const {
    const std::lock_guard lock(mutex_);
    if (!plain_) {
      auto built = build(program_, CudaForm{.vectorBytes = 0});
      if (!built) return built.error();
      plain_ = std::make_unique<const GpuProgram>(std::move(*built));
    }
    return plain_.get();
  }

  mutable std::mutex mutex_;
  mutable LoopProgram program_;
  const GpuProgram vectors_;
  mutable std::unique_ptr<const GpuProgram> plain_;
};

}  // namespace

trace::Result<std::shared_ptr<const KernelLibrary>> compileForGpu(LoopProgram& program) {
  auto built = build(program, {});
  if (!built) return built.error();
  return std::shared_ptr<const KernelLibrary>(
      std::make_shared<GpuLibrary>(program, std::move(*built)));
}

}  // namespace jitscope::compiler
