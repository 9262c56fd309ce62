#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>

#include <mutex>

namespace jitscope::compiler {

/// Of the CPU's default generator, as it is now.
inline at::Tensor generatorState() {
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::scoped_lock lock(generator.mutex());
  return generator.get_state();
}

}  // namespace jitscope::compiler
