// Replay under autograd: gradients, grad modes, hooks and backward passes inside user code.
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

DifferentialCase withGradient(Tensors (*function)(const Tensors&), int inputCount = 1,
                              int calls = 4) {
  return stateless(function, inputCount, calls, true);
}

TEST(ReplayGradient, GoesThroughOneSegment) {
  expectSameAsEager(withGradient(
      [](const Tensors& x) -> Tensors {
        auto h = x[0].matmul(x[1]);
        return {(h.relu() * h).sin()};
      },
      2));
}

TEST(ReplayGradient, GoesAcrossABreak) {
  expectSameAsEager(withGradient(
      [](const Tensors& x) -> Tensors {
        auto h = x[0].matmul(x[1]);
        if (h.sum().item<float>() > 0) h = h * 2;
        return {(h * h).tanh()};
      },
      2, 8));
}

TEST(ReplayGradient, SurvivesAPointerToAnInterior) {
  auto testCase = withGradient(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * x[1];
        auto g = h + 1;
        auto k = g * h;
        if (flag && !g.data_ptr<float>()) return {};
        return {k * g};
      },
      2, 5);
  testCase.before = [](int call) { flag = call == 2; };
  expectSameAsEager(testCase);
}

TEST(ReplayGradient, FollowsDetachAndNoGrad) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    at::Tensor mean;
    {
      const c10::NoGradGuard guard;
      mean = h.mean();
    }
    auto g = h.sin();
    g.mul_(2);
    return {g - mean + h.detach()};
  }));
}

TEST(ReplayGradient, WritesToANonLeafOfAnEarlierSegment) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (h.sum().item<float>() > 100) h = h + 1;
    h.mul_(3);
    return {h.sin()};
  }));
}

TEST(ReplayGradient, FollowsAGradModeThatFlips) {
  auto testCase = withGradient([](const Tensors& x) -> Tensors {
    std::optional<c10::NoGradGuard> guard;
    if (flag) guard.emplace();
    auto h = x[0] * 2;
    return {h.sin()};
  });
  testCase.before = [](int call) { flag = call % 2; };
  expectSameAsEager(testCase);
}

TEST(ReplayGradient, AccumulatesIntoATensorWithoutGradient) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto sum = torch::zeros({4, 4});
    sum.add_(x[0] * 2);
    sum.add_(x[0].sin());
    if (sum.sum().item<float>() > 1e9) sum = sum + 1;
    return {sum * 3};
  }));
}

TEST(ReplayGradient, SeesRequiresGradSetInside) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto p = at::ones({4, 4});
    p.requires_grad_(true);
    auto y = (x[0] * p).sin();
    return {y};
  }));
}

TEST(ReplayGradient, MakesFactoriesThatRequireGradient) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto p = torch::ones({4, 4}, at::TensorOptions().requires_grad(true));
    auto y = (x[0] * p).sin();
    return {y};
  }));
}

TEST(ReplayGradient, SeesAFactoryThatRequiresGradientOnSomeCalls) {
  auto testCase = withGradient(
      [](const Tensors& x) -> Tensors {
        auto p = torch::ones({4, 4}, at::TensorOptions().requires_grad(flag));
        auto y = (x[0] * p).sin();
        stash = {p};
        return {y};
      },
      1, 5);
  testCase.before = [](int call) { flag = call == 2 || call == 3; };
  testCase.kept = [] { return stash; };
  expectSameAsEager(testCase);
  stash.clear();
}

TEST(ReplayGradient, RunsBackwardInside) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto p = x[0].detach().clone();
    p.requires_grad_(true);
    auto y = (p * p).sum();
    y.backward();
    return {p.grad() * 2};
  }));
}

TEST(ReplayGradient, RunsGradInside) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto y = (x[0] * x[0]).sum();
    auto g = torch::autograd::grad({y}, {x[0]});
    return {g[0].detach() * 2};
  }));
}

TEST(ReplayGradient, RunsGradOfAnInteriorOnSomeCalls) {
  auto testCase = withGradient(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        auto g = h.sin();
        auto k = g * g;
        if (!flag) return {k};
        return {k, torch::autograd::grad({h}, {x[0]}, {torch::ones({4, 4})}, true)[0]};
      },
      1, 5);
  testCase.before = [](int call) { flag = call >= 2; };
  expectSameAsEager(testCase);
}

/// The gradient of an interior that user code retains, and the input's.
Tensors retainedGradients(const Function& function, const at::Tensor& input) {
  stash.clear();
  function({input})[0].sum().backward();
  Tensors gradients{input.grad()};
  for (const auto& kept : stash) gradients.push_back(kept.grad());
  return gradients;
}

TEST(ReplayGradient, RetainsTheGradientOfAnInteriorFromTheFirstCallOn) {
  const Function function = [](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (flag) {
      h.retain_grad();
      stash = {h};
    }
    return {h.sin()};
  };
  for (const bool isAlways : {true, false}) {
    CompiledFunction compiled(function);
    for (int call = 0; call < 5; ++call) {
      flag = isAlways || call >= 2;
      const auto expected = retainedGradients(function, randomInputs(7, 1, true)[0]);
      const auto actual = retainedGradients([&](const Tensors& x) { return compiled(x); },
                                            randomInputs(7, 1, true)[0]);
      ASSERT_EQ(expected.size(), actual.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_TRUE(isSameBits(expected[i], actual[i])) << "call " << call << " gradient " << i;
      }
    }
  }
  stash.clear();
}

TEST(ReplayGradient, FiresHooksOnInteriors) {
  static int fired = 0;
  const Function function = [](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (flag) {
      h.register_hook([](at::Tensor gradient) {
        ++fired;
        return gradient * 10;
      });
    }
    auto k = h.sin();
    return {k * h};
  };
  CompiledFunction compiled(function);
  for (int call = 0; call < 5; ++call) {
    flag = call >= 2;
    const auto expected = retainedGradients(function, randomInputs(7, 1, true)[0]);
    fired = 0;
    const auto actual = retainedGradients([&](const Tensors& x) { return compiled(x); },
                                          randomInputs(7, 1, true)[0]);
    EXPECT_EQ(fired, flag ? 1 : 0);
    EXPECT_TRUE(isSameBits(expected[0], actual[0])) << "call " << call;
  }
}

TEST(ReplayGradient, KeepsViewsTiedToTheirBase) {
  const Function function = [](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    auto v = h.view({-1});
    if (h.sum().item<float>() > 1e9) h = h + 1;
    return {h, v, v.sin()};
  };
  CompiledFunction compiled(function);
  for (int call = 0; call < 3; ++call) {
    const auto run = [&](const Function& callee) {
      const auto input = randomInputs(3, 1, true)[0];
      auto results = callee({input});
      EXPECT_TRUE(results[1].is_view());
      results[1].mul_(3);
      results[0].sum().backward();
      return input.grad();
    };
    EXPECT_TRUE(isSameBits(run(function), run([&](const Tensors& x) { return compiled(x); })));
  }
}

TEST(ReplayGradient, ChecksVersionsOfSavedTensors) {
  CompiledFunction compiled([](const Tensors& x) -> Tensors { return {x[0].exp()}; });
  for (int call = 0; call < 3; ++call) {
    auto result = compiled(randomInputs(1, 1, true))[0];
    result.mul_(2);
    EXPECT_THROW(result.sum().backward(), c10::Error);
  }
}

TEST(ReplayGradient, GivesGradientsWithRespectToAViewOfAnInput) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto half = x[0].slice(0, 0, 2);
    auto square = (half * half).sum();
    const auto gradients =
        torch::autograd::grad({square}, {half}, {}, true, false, /*allow_unused=*/true);
    if (!gradients[0].defined()) return {};
    return {gradients[0].detach() * 2};
  }));
}

TEST(ReplayGradient, RefusesAViewWithoutHistoryAsEagerDoes) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto h = x[0] * x[0];
    const c10::NoGradGuard guard;
    auto view = x[0].t();
    if (h.sum().item<float>() > 1e9) return {h};
    view.mul_(2);
    return {view};
  }));
}

TEST(ReplayGradient, WorksInInferenceMode) {
  const c10::InferenceMode guard;
  DifferentialCase testCase{.make =
                                [] {
                                  return Function([](const Tensors& x) -> Tensors {
                                    auto h = x[0] * 2;
                                    x[0].add_(1);
                                    if (h.sum().item<float>() > 0) h = h + 1;
                                    return {h.view({-1}), h.sin()};
                                  });
                                },
                            .inputs = [](int call) { return randomInputs(call); },
                            .calls = 6};
  // Inference tensors have no version to compare.
  const auto plain = testCase.make();
  CompiledFunction compiled(testCase.make());
  for (int call = 0; call < testCase.calls; ++call) {
    const auto left = testCase.inputs(call), right = testCase.inputs(call);
    const auto expected = plain(left), actual = compiled(right);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(isSameBits(expected[i], actual[i]));
    EXPECT_TRUE(isSameBits(left[0], right[0]));
  }
}

TEST(ReplayGradient, FollowsAutocast) {
  auto testCase = withGradient(
      [](const Tensors& x) -> Tensors {
        at::autocast::set_autocast_enabled(at::kCPU, flag);
        auto h = x[0].matmul(x[1]);
        auto k = h + 1;
        at::autocast::set_autocast_enabled(at::kCPU, false);
        at::autocast::clear_cache();
        if (k.sum().item<float>() > 0) k = k * 2;
        return {k.to(at::kFloat).sin()};
      },
      2, 8);
  testCase.before = [](int call) { flag = call % 3 != 0; };
  expectSameAsEager(testCase);
}

TEST(ReplayGradient, SeesDataAndSetData) {
  expectSameAsEager(withGradient([](const Tensors& x) -> Tensors {
    auto h = x[0].detach() * 2;
    auto g = h + 1;
    auto alias = g.data();
    alias.mul_(3);
    auto k = g + h;
    h.set_data(k);
    return {h * 2, g};
  }));
}

}  // namespace
}  // namespace jitscope::compiler
