// What user code may add to autograd: hooks on saved tensors, functions of its own, forward-mode
// derivatives. With breaks, so that later calls are replays.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/forward_grad.h>
#include <torch/csrc/autograd/generated/Functions.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

namespace autograd = torch::autograd;

DifferentialCase withGradient(Tensors (*function)(const Tensors&), int calls = 5) {
  return stateless(function, 2, calls, true);
}

/// What hooks saw, in order.
Tensors packed;

/// Keeps half of what autograd saves, and gives it back doubled.
struct Halving final : autograd::SavedVariableHooks {
  void call_pack_hook(const at::Tensor& tensor) override {
    const c10::NoGradGuard noGrad;
    packed.push_back(tensor.detach().clone());
    half = tensor.detach() * 0.5;
  }
  at::Tensor call_unpack_hook() override { return half * 2; }
  at::Tensor half;
};

DifferentialCase withHooks(Tensors (*function)(const Tensors&)) {
  DifferentialCase testCase = withGradient(function);
  testCase.before = [](int) { packed.clear(); };
  testCase.kept = [] { return packed; };
  return testCase;
}

TEST(SavedTensorHooks, OnAnOperatorOfUserCodeSeeWhatEagerHooksSee) {
  expectSameAsEager(withHooks([](const Tensors& x) -> Tensors {
    const auto h = withBreak(x[0] * 2);
    const auto y = h.sin() * x[1].cos();
    auto* node = dynamic_cast<autograd::generated::MulBackward0*>(y.grad_fn().get());
    node->self_.register_hooks(std::make_unique<Halving>());
    return {(y + h).tanh()};
  }));
  EXPECT_EQ(packed.size(), 1U);
}

TEST(SavedTensorHooks, OnAnInteriorThatUserCodeSavesItself) {
  expectSameAsEager(withHooks([](const Tensors& x) -> Tensors {
    const auto h = withBreak(x[0] * 2);
    const auto y = h.sin();
    autograd::SavedVariable saved(y, /*is_output=*/false);
    saved.register_hooks(std::make_unique<Halving>());
    const auto z = y * x[1];
    return {z + saved.unpack().detach()};
  }));
  EXPECT_EQ(packed.size(), 1U);
}

/// x * y with a backward pass of its own, that keeps an interior value.
struct Product final : autograd::Function<Product> {
  static at::Tensor forward(autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& y) {
    const auto doubled = x * 2;
    context->save_for_backward({doubled, y});
    context->saved_data["scale"] = 3.0;
    return doubled * y;
  }
  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const double scale = context->saved_data["scale"].toDouble();
    return {gradients[0] * saved[1] * scale, gradients[0] * saved[0]};
  }
};

TEST(AutogradFunction, RunsItsBackwardInReplayToo) {
  const auto counts = expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    const auto h = withBreak(x[0] * 2);
    return {Product::apply(h.sin(), x[1]).relu() + h};
  }));
  EXPECT_EQ(counts.back().captured, 0);
}

/// Writes to its input, as a function does that marks it dirty.
struct Doubled final : autograd::Function<Doubled> {
  static at::Tensor forward(autograd::AutogradContext* context, at::Tensor x) {
    x.mul_(2);
    context->mark_dirty({x});
    return x;
  }
  static autograd::variable_list backward(autograd::AutogradContext*,
                                          autograd::variable_list gradients) {
    return {gradients[0] * 2};
  }
};

TEST(AutogradFunction, MayWriteToItsInput) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    const auto h = withBreak(x[0] * 2);
    const auto y = h.sin();
    return {Doubled::apply(y) * x[1]};
  }));
}

/// Result and derivative of `function` at x in direction t.
Tensors derivative(const Function& function, const at::Tensor& x, const at::Tensor& t) {
  const auto level = autograd::ForwardADLevel::get_next_idx();
  Tensors made;
  for (const auto& result : function({at::_make_dual(x, t, static_cast<int64_t>(level))})) {
    const auto [primal, tangent] = at::_unpack_dual(result, static_cast<int64_t>(level));
    made.push_back(primal.clone());
    made.push_back(tangent.defined() ? tangent.clone() : at::Tensor());
  }
  autograd::ForwardADLevel::release_idx(level);
  return made;
}

Tensors smooth(const Tensors& x) {
  const auto h = x[0].sin() * 2;
  const auto y = withBreak(h);
  return {y * x[0], y.cos().sum(0), x[0].detach() + 1};
}

TEST(ForwardAd, GivesTheDerivativesOfEager) {
  for (const bool isPlainFirst : {false, true}) {
    CompiledFunction compiled(smooth);
    if (isPlainFirst) compiled(randomInputs(9));
    for (int call = 0; call < 4; ++call) {
      const auto inputs = randomInputs(call, 2);
      const auto expected = derivative(smooth, inputs[0], inputs[1]);
      const auto actual =
          derivative([&](const Tensors& x) { return compiled(x); }, inputs[0], inputs[1]);
      ASSERT_EQ(expected.size(), actual.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_TRUE(isSameBits(expected[i], actual[i])) << "call " << call << " value " << i;
      }
      // The same function without derivatives in between.
      const auto plain = smooth({inputs[0]}), again = compiled({inputs[0]});
      for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(isSameBits(plain[i], again[i]));
    }
  }
}

TEST(ForwardAd, MayBeginInsideOfUserCode) {
  const auto function = [](const Tensors& x) -> Tensors {
    return derivative([](const Tensors& y) -> Tensors { return {y[0].sin() * 2}; },
                      withBreak(x[0] * 3), x[1]);
  };
  CompiledFunction compiled(function);
  for (int call = 0; call < 4; ++call) {
    const auto inputs = randomInputs(call, 2);
    const auto expected = function(inputs), actual = compiled(inputs);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(isSameBits(expected[i], actual[i])) << "call " << call << " value " << i;
    }
  }
}

}  // namespace
}  // namespace jitscope::compiler
