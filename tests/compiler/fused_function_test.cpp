// Functions that are compiled with backend "fused": generated kernels, also for what is
// differentiated, written to, or run under autocast.
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "tests/compiler/kernel_names.h"

namespace jitscope::compiler {
namespace {

using Names = std::vector<std::string>;

at::Tensor scaledSilu(const at::Tensor& x, const at::Tensor& w) { return at::silu(x * w) + 1; }

TEST(FusedFunction, OneKernelDoesWhatThreeOperatorsDid) {
  const auto compiled = compile(scaledSilu, {.backend = "fused"});
  const at::Tensor x = at::randn({8, 32}), w = at::randn({32});
  compiled(x, w);
  const KernelNames kernels;
  EXPECT_TRUE(at::allclose(compiled(x, w), scaledSilu(x, w)));
  EXPECT_EQ(kernels.names(), Names{"cpp_fused_add_mul_silu_0"});
}

TEST(FusedFunction, KernelsDoTheForwardAndTheBackwardPass) {
  const auto compiled = compile(scaledSilu, {.backend = "fused"});
  const at::Tensor x = at::randn({8, 32}), w = at::randn({32});
  at::Tensor eager = w.clone().requires_grad_(), fused = w.clone().requires_grad_();
  for (int call = 0; call < 3; ++call) {
    eager.mutable_grad().reset();
    fused.mutable_grad().reset();
    const at::Tensor expected = scaledSilu(x, eager);
    expected.sum().backward();
    const KernelNames kernels;
    const at::Tensor actual = compiled(x, fused);
    EXPECT_EQ(kernels.names().size(), call == 0 ? 0U : 1U) << "call " << call;
    actual.sum().backward();
    EXPECT_TRUE(at::allclose(actual, expected)) << "call " << call;
    EXPECT_TRUE(at::allclose(fused.grad(), eager.grad(), 1e-5, 1e-5)) << "call " << call;
    EXPECT_EQ(kernels.names().size() >= 2, call > 0) << "call " << call;
  }
}

TEST(FusedFunction, WhatIsWrittenToIsWrittenToByAKernelsResult) {
  const auto step = [](at::Tensor x) {
    x.mul_(2).add_(1);
    return x.exp();
  };
  const auto compiled = compile(step, {.backend = "fused"});
  at::Tensor eager = at::randn({64}), fused = eager.clone();
  for (int call = 0; call < 3; ++call) {
    const KernelNames kernels;
    const at::Tensor expected = step(eager), actual = compiled(fused);
    EXPECT_TRUE(at::allclose(actual, expected)) << "call " << call;
    EXPECT_TRUE(at::allclose(fused, eager)) << "call " << call;
    EXPECT_EQ(kernels.names().empty(), call == 0) << "call " << call;
  }
}

/// Autocast for processors while it lives.
struct Autocast {
  Autocast() { at::autocast::set_autocast_enabled(at::kCPU, true); }
  ~Autocast() {
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;
};

TEST(FusedFunction, UnderAutocastKernelsComputeInItsType) {
  const auto step = [](const at::Tensor& x, const at::Tensor& w) {
    return at::silu(at::matmul(x, w)) + 1;
  };
  const auto compiled = compile(step, {.backend = "fused"});
  const at::Tensor x = at::randn({8, 16}), w = at::randn({16, 16});
  const Autocast autocast;
  for (int call = 0; call < 3; ++call) {
    const KernelNames kernels;
    const at::Tensor expected = step(x, w), actual = compiled(x, w);
    EXPECT_EQ(actual.scalar_type(), at::kBFloat16);
    EXPECT_TRUE(at::allclose(actual, expected, 2e-2, 2e-2)) << "call " << call;
    EXPECT_EQ(kernels.names().empty(), call == 0) << "call " << call;
  }
}

TEST(FusedFunction, SizesThatChangeAreServedByOneKernel) {
  const auto compiled = compile(scaledSilu, {.backend = "fused"});
  const at::Tensor w = at::randn({32});
  for (const int64_t rows : {4, 8, 9, 100, 3}) {
    const at::Tensor x = at::randn({rows, 32});
    EXPECT_TRUE(at::allclose(compiled(x, w), scaledSilu(x, w))) << rows;
  }
  const KernelNames kernels;
  compiled(at::randn({77, 32}), w);
  EXPECT_EQ(kernels.names().size(), 1U);
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

}  // namespace
}  // namespace jitscope::compiler
