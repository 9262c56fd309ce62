#pragma once

#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

/// \file
/// The one place that knows how autograd keeps a tensor's history; what differs between LibTorch
/// versions stays here.
namespace jitscope::compiler {

/// Tensors that stand in user code for real ones: (real, its stand-in).
using StandIns = std::vector<std::pair<at::Tensor, at::Tensor>>;

/// Makes `lazy`, a LazyTensor, stand for `real`: same memory, version counter and place in the
/// autograd graph. When `real` is a view under autograd, its base becomes the stand-in of the real
/// base if `standIns` has one. A gradient state that user code gave `lazy` meanwhile stays.
void bindLazily(const at::Tensor& lazy, const at::Tensor& real, const StandIns& standIns);

/// Makes `lazy` a view of what `real`, which has no history, is a view of; does nothing when it is
/// none. Then a write to either reaches the base's history.
void tieToBase(const at::Tensor& lazy, const at::Tensor& real);

/// Gives `tensor` the layout, memory and place in the autograd graph that user code gave to its
/// stand-in `standIn` meanwhile.
void returnState(const at::Tensor& tensor, const at::Tensor& standIn);

/// Makes a lazy tensor that is not bound yet say that it requires gradient.
void expectGradient(const at::Tensor& lazy);

/// Whether the calling thread is inside of a backward pass.
bool isInBackwardPass();

}  // namespace jitscope::compiler
