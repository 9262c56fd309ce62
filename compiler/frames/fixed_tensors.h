#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "compiler/arguments.h"

namespace jitscope::compiler {

/// The guards of strided tensors whose sizes are all fixed, which nearly all tensors of a model
/// are. Packed, since at each call the time goes into the memory that is looked at.
class FixedTensors {
 public:
  /// The tensor in this leaf, as it is now. With `isIdentityGuarded` it must be the same object
  /// again; somebody else keeps it alive.
  void add(uint32_t leaf, const at::Tensor& tensor, bool isIdentityGuarded);

  /// Whether the leaves hold tensors of the same dispatch keys, dtype, device, requires_grad, rank,
  /// sizes and strides. All leaves must be there; they may be of any kind.
  bool hold(const Leaves& leaves) const;

 private:
  struct Tensor {
    bool holds(const int64_t* numbers, const at::TensorImpl& impl) const;

    uint64_t keys = 0;
    const at::TensorImpl* object = nullptr;  ///< null: any
    uint32_t leaf = 0;
    uint16_t rank = 0;
    caffe2::TypeMeta dtype;
    c10::Device device{c10::kCPU};
    bool requiresGrad = false;
  };
  std::vector<Tensor> tensors_;
  std::vector<int64_t> numbers_;  ///< of each tensor the sizes, then the strides
};

}  // namespace jitscope::compiler
