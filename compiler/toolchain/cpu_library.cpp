#include <algorithm>

#include "compiler/codegen/generated_kernel.h"
#include "compiler/toolchain/kernel_library.h"
#include "compiler/toolchain/shared_object.h"
#include "compiler/toolchain/thread_team.h"

namespace jitscope::compiler {
namespace {

// Below so many points a second thread costs more than it does; each gets at least half of them.
constexpr int64_t kPointsForThreads = 32768;

class CpuLibrary final : public KernelLibrary {
 public:
  using Function = void (*)(void* const*, const long long*, long long, long long);

  CpuLibrary(std::shared_ptr<const SharedObject> object, std::string source,
             const std::vector<CpuKernel>& kernels)
      : object_(std::move(object)) {
    source_ = std::move(source);
    for (const CpuKernel& kernel : kernels) {
      kernels_.push_back({kernel.name, kernel.buffers});
      launches_.push_back({reinterpret_cast<Function>(object_->function(kernel.name)), kernel.items,
                           kernel.pointsPerItem});
    }
  }

  trace::Result<void> launch(size_t kernel, std::span<void* const> memory,
                             std::span<const int64_t> symbols,
                             const LaunchPlace& place) const override {
    static_assert(sizeof(int64_t) == sizeof(long long));
    const Launch& launch = launches_[kernel];
    const auto* sizes = reinterpret_cast<const long long*>(symbols.data());
    const int64_t items = launch.items.evaluate(symbols);
    const int64_t points = items * launch.pointsPerItem.evaluate(symbols);
    const auto threads =
        static_cast<int>(std::min<int64_t>(place.threads, 2 * points / kPointsForThreads));
    shareItems(items, std::max(threads, 1), [&](int64_t begin, int64_t end) {
      launch.function(memory.data(), sizes, begin, end);
    });
    return {};
  }

 private:
  struct Launch {
    Function function;
    Index items, pointsPerItem;
  };
  std::shared_ptr<const SharedObject> object_;
  std::vector<Launch> launches_;
};

}  // namespace

trace::Result<std::shared_ptr<const KernelLibrary>> compileForProcessor(LoopProgram& program) {
  std::vector<CpuKernel> kernels;
  // By index: generating adds to the program's body, not to its steps.
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const auto* nest = std::get_if<LoopNest>(&program.steps[i]);
    if (!nest) continue;
    kernels.push_back(generateCpu(program, *nest, kernelName("cpp_fused", *nest, kernels.size())));
  }
  std::string source = cpuSource(kernels);
  const auto object = compileCpp(source);
  if (!object) return object.error();
  for (const CpuKernel& kernel : kernels) {
    if (!(*object)->function(kernel.name)) {
      return trace::Error{"the compiled library has no " + kernel.name};
    }
  }
  return std::shared_ptr<const KernelLibrary>(
      std::make_shared<CpuLibrary>(*object, std::move(source), kernels));
}

}  // namespace jitscope::compiler
