#include "collector/cupti/kernel_texts.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

namespace jitscope::collector {
namespace {

// Programs that make kernels for ever have ever new names; what is remembered stays small.
constexpr size_t kMostTexts = 65'536;

std::string demangled(const std::string& mangled) {
  // A plain "f" would read as the type float.
  if (!mangled.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : mangled;
}

}  // namespace

trace::StringId KernelTexts::name(const char* mangled) {
  if (!mangled) return {};
  if (names_.size() >= kMostTexts) names_.clear();
  Known& known = names_[mangled];
  if (known.mangled != mangled) {
    known.mangled = mangled;
    known.text = sink_.intern(demangled(known.mangled));
  }
  return known.text;
}

trace::StringId KernelTexts::launch(const CUpti_ActivityKernel10& kernel) {
  if (launches_.size() >= kMostTexts) launches_.clear();
  const Shape shape{kernel.gridX,
                    kernel.gridY,
                    kernel.gridZ,
                    kernel.blockX,
                    kernel.blockY,
                    kernel.blockZ,
                    kernel.staticSharedMemory,
                    kernel.dynamicSharedMemory,
                    kernel.registersPerThread};
  const auto [known, isNew] = launches_.try_emplace(shape);
  if (isNew) {
    known->second = sink_.intern(fmt::format(
        "grid {}x{}x{} block {}x{}x{} shared {}+{} registers {}", kernel.gridX, kernel.gridY,
        kernel.gridZ, kernel.blockX, kernel.blockY, kernel.blockZ, kernel.staticSharedMemory,
        kernel.dynamicSharedMemory, kernel.registersPerThread));
  }
  return known->second;
}

}  // namespace jitscope::collector
