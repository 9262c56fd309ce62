#pragma once

namespace jitscope::compiler {

/// Makes what user code does to a tensor's autograd state past the dispatcher (grad_fn,
/// retain_grad, register_hook, requires_grad_, set_data, backward) known to the listener of a
/// LazyTensor. Process-wide, once; tensors of other kinds are passed on.
void installAutogradHook();

}  // namespace jitscope::compiler
