#pragma once

#include <ATen/core/Tensor.h>

namespace jitscope::compiler {

/// Makes a tensor's version, which counts the writes to it, that one. Not for inference tensors.
inline void setVersion(const at::Tensor& tensor, int64_t version) {
  auto counter = tensor.unsafeGetTensorImpl()->version_counter();
  if (version != static_cast<int64_t>(counter.current_version())) counter.set_version(version);
}

}  // namespace jitscope::compiler
