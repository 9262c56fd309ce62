#pragma once

#include <stdexcept>

namespace jitscope::compiler {

/// A function that is not compiled ahead of time, and why. Thrown, since what finds the reason may
/// be called by LibTorch's dispatcher in the midst of an operator; caught where tracing was
/// started.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jitscope::compiler
