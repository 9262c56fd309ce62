#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/randn.h>

#include <ostream>
#include <vector>

/// \file
/// Functions that are hard to compile ahead of time, each with its inputs: what they compute, do to
/// their inputs and hand out must be as without jitscope.
namespace jitscope::compiler {

using Tensors = std::vector<at::Tensor>;

struct CatalogueCase {
  enum class Verdict {
    kCompiled,  ///< the functional graphs run
    kRefused,   ///< the eager backend runs it, as a row of the journal says
    kThrows,    ///< it throws without jitscope, and so with it
  };

  const char* name;
  Tensors (*inputs)();
  Tensors (*function)(const Tensors&);
  Verdict verdict = Verdict::kCompiled;
  /// How gradients may differ: where LibTorch itself adds in another order.
  double tolerance = 0;
};

/// Inputs that most need.
inline Tensors plain() { return {at::randn({4, 4})}; }
inline Tensors leaf() { return {at::randn({4, 4}).requires_grad_(true)}; }
inline Tensors leaves() {
  return {at::randn({4, 4}).requires_grad_(true), at::randn({4, 4}).requires_grad_(true)};
}

inline std::ostream& operator<<(std::ostream& stream, const CatalogueCase& testCase) {
  return stream << testCase.name;
}

/// Layers, losses and the like, forward and backward.
std::vector<CatalogueCase> networkCases();
/// Writes to inputs, and inputs that share memory.
std::vector<CatalogueCase> inputCases();
/// Outputs that are views of inputs, of each other, of what nobody sees.
std::vector<CatalogueCase> outputCases();
/// Parts without gradient, autograd functions, autocast, random numbers.
std::vector<CatalogueCase> modeCases();

}  // namespace jitscope::compiler
