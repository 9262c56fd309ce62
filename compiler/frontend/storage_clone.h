#pragma once

#include <ATen/core/Tensor.h>

#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {

/// A copy of the storage's bytes. To be used inside a QuietScope.
c10::Storage cloneStorage(const c10::Storage& storage);

/// A tensor with these facts on `storage`, unknown to autograd.
at::Tensor onStorage(const c10::Storage& storage, const TensorFacts& facts);

/// Whether memory is cheap to copy and to compare: little of it, on the CPU.
bool isSmallOnHost(const c10::Storage& storage);

/// Whether the numbers of a tensor may be kept and compared: few, on the CPU, without history and
/// without gaps.
bool isSmallOnHost(const at::Tensor& tensor);

/// Whether two tensors that are small on the host have the same facts and hold the same bits. To be
/// used inside a QuietScope.
bool isSameContent(const at::Tensor& left, const at::Tensor& right);

/// Whether two storages on the CPU hold the same bytes.
bool isSameContent(const c10::Storage& left, const c10::Storage& right);

}  // namespace jitscope::compiler
