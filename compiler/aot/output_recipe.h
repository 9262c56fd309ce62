#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

namespace at::functionalization {
struct ViewMeta;
}

namespace jitscope::compiler {

/// How an output of a function is made of what its functional graph gives and of its arguments, so
/// that it is the same object, shares the same memory and has the same place in autograd as if the
/// function had run.
struct OutputRecipe {
  enum class Kind {
    kAbsent,        ///< no tensor
    kSlot,          ///< result `index` of the graph
    kArgument,      ///< argument `index` itself
    kOutput,        ///< the same tensor as the earlier output `index`
    kViewOfPrimal,  ///< `views` of primal `index`
    kViewOfSlot,    ///< `views` of result `index`, which other outputs are views of too
  };
  Kind kind = Kind::kAbsent;
  size_t index = 0;
  std::vector<std::shared_ptr<at::functionalization::ViewMeta>> views;
  bool requiresGrad = false;
  bool isMadeInGradMode = true;  ///< a view; what may be done to it later depends on it
};

/// What a call has when its outputs are made.
struct CallTensors {
  std::span<const at::Tensor> arguments, primals;
  std::span<const at::Tensor> beforeLayout;  ///< see applyEffects
  std::span<const at::Tensor> slots;
};

std::vector<at::Tensor> makeOutputs(std::span<const OutputRecipe> recipes,
                                    const CallTensors& tensors);

}  // namespace jitscope::compiler
