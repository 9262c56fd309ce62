#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jitscope::compiler {

/// What a function did to one of its primals: the functional graph gives the content as one more
/// result, and the rest is said here.
struct InputEffect {
  bool isWritten = false;
  bool hasNewLayout = false;            ///< sizes, strides or offset (`t_`, `squeeze_`)
  bool isLayoutFirst = false;           ///< the content is for the new layout
  bool isUnseenByAutograd = false;      ///< written under no_grad only
  size_t slot = 0;                      ///< of the content among the graph's results
  int64_t versions = 0;                 ///< by how much the version counter moves
  std::vector<int64_t> sizes, strides;  ///< the new layout
  int64_t storageOffset = 0;

  bool isAny() const { return isWritten || hasNewLayout || versions != 0; }
};

/// A primal while it is traced, and what it was when that began.
struct TracedPrimal {
  at::Tensor wrapper;             ///< the functional tensor
  const void* storage = nullptr;  ///< the wrapper's at the start
  bool requiresGrad = false, isLeaf = true;
};

/// Looks at a traced primal. `versions` is how far its version counter moved, and slot is left to
/// the caller. Throws Refusal for what cannot be done to a real tensor afterwards.
InputEffect effectOn(const TracedPrimal& primal, int64_t versions);

/// The content that a written primal shall have, as a functional value.
at::Tensor writtenContent(const TracedPrimal& primal, InputEffect& effect);

/// Does to the primals what the function did. Gives the tensors as they were before their layout
/// changed, undefined where it did not: results may be views of these.
std::vector<at::Tensor> applyEffects(std::span<const InputEffect> effects,
                                     std::span<const at::Tensor> primals,
                                     std::span<const at::Tensor> slots);

}  // namespace jitscope::compiler
