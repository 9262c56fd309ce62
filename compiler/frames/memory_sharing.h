#pragma once

#include <cstdint>
#include <vector>

#include "compiler/arguments.h"

namespace jitscope::compiler {

/// Which tensors of a call share memory, and which are one object. Tensors without a storage share
/// with nobody.
class MemorySharing {
 public:
  struct Tensor {
    uint32_t leaf = 0;
    uint32_t storageOf = 0;  ///< first tensor with this storage, by position in `tensors`
    uint32_t objectOf = 0;   ///< first tensor that is the same object

    bool operator==(const Tensor&) const = default;
  };

  MemorySharing() = default;

  /// Of the tensors among the first `leafCount` leaves.
  MemorySharing(const Leaves& leaves, size_t leafCount);

  /// One for each tensor, in the order of the leaves.
  const std::vector<Tensor>& tensors() const { return tensors_; }

  /// Whether the same leaves of another call, all of them tensors, coincide in the same way. Linear
  /// in the number of tensors; allocates nothing for up to 500 of them.
  bool holds(const Leaves& leaves) const;

 private:
  std::vector<Tensor> tensors_;
  bool isApart_ = true;  ///< no two share
};

}  // namespace jitscope::compiler
