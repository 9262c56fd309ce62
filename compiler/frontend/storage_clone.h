#pragma once

#include <ATen/core/Tensor.h>

#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {

/// A copy of the storage's bytes. To be used inside a QuietScope.
c10::Storage cloneStorage(const c10::Storage& storage);

/// A tensor with these facts on `storage`, unknown to autograd.
at::Tensor onStorage(const c10::Storage& storage, const TensorFacts& facts);

/// Whether two tensors on the CPU with the same facts hold the same bytes in their one element.
bool isSameNumber(const at::Tensor& left, const at::Tensor& right);

}  // namespace jitscope::compiler
