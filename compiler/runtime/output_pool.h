#pragma once

#include <ATen/core/Tensor.h>

namespace jitscope::compiler {

/// A new tensor whose elements are not set. On a processor its memory comes from a pool that keeps
/// what it once got from the system: pages that were touched before are several times as fast to
/// write as fresh ones. On other devices LibTorch's own allocator does that already.
at::Tensor makeOutput(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type,
                      at::Device device);

}  // namespace jitscope::compiler
