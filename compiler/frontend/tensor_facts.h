#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/DimVector.h>

#include <cstdint>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// What is known of a tensor beside its numbers.
struct TensorFacts {
  c10::DispatchKeySet keys;
  caffe2::TypeMeta dataType;
  c10::Device device = c10::kCPU;
  c10::DimVector sizes, strides;
  int64_t storageOffset = 0;
  bool requiresGrad = false;

  /// Of a tensor that is not opaque.
  static TensorFacts of(const at::Tensor& tensor);

  /// Whether `tensor` has the same facts.
  bool matches(const at::Tensor& tensor) const;
  /// Whether only requiresGrad may differ.
  bool hasSameLayout(const at::Tensor& tensor) const;
};

/// The same as a graph says it, every size a constant.
TensorType concreteType(const TensorFacts& facts);

/// Whether a tensor is of a kind that segments do not hold: without a strided storage (sparse,
/// mkldnn, nested), quantised, or a wrapper of another library.
bool isOpaque(const at::Tensor& tensor);

/// The storage's address; null when there is none. Does not count as an access.
const void* storageOf(const at::Tensor& tensor);

}  // namespace jitscope::compiler
