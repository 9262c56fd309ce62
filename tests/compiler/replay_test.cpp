// Replay: later calls of functions with breaks, bit for bit as eager, counted.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

int64_t capturedAfter(const std::vector<CallCounts>& counts, size_t first) {
  int64_t sum = 0;
  for (size_t i = first; i < counts.size(); ++i) sum += counts[i].captured;
  return sum;
}

TEST(Replay, FollowsBothBranchesOfABreak) {
  const auto counts = expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0].matmul(x[1]);
        if (h.sum().item<float>() > 0) h = h * 2;
        return {at::relu(h)};
      },
      2, 10));
  EXPECT_GE(counts[0].captured, 4);
  EXPECT_EQ(capturedAfter(counts, 5), 0);
  EXPECT_EQ(counts[9].segmentsRun, 2);
}

TEST(Replay, FollowsALoopWhoseLengthIsAValue) {
  expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0].abs() + 1;
        int count = 0;
        if (h.mean().item<float>() > 1.8) h = h - 1, count = 1;
        while (h.sum().item<float>() > 8 && count < 20) {
          h = h * 0.7;
          h = h + 0.01;
          ++count;
        }
        const auto largest = h.max().item<float>();
        if (largest > 1) h = h / largest;
        return {h.tanh(), at::full({1}, count)};
      },
      1, 12));
}

TEST(Replay, FollowsSizesThatAreData) {
  expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 3;
        auto where = (h > 0).nonzero();
        auto picked = h.index({where.select(1, 0), where.select(1, 1)});
        if ((picked > 5).any().item<bool>()) picked = picked - 5;
        return {picked.sum(), picked * 2};
      },
      1, 6));
}

TEST(Replay, HandlesListsOfTensors) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto c = x[0].chunk(2, 0);
    auto k = at::cat({c[1], c[0]}, 0);
    auto i = at::arange(3);
    if (k.sum().item<float>() > 1e9) k = k + 1;
    return {k.index({i}) * 2, c[0] + 1};
  }));
}

TEST(Replay, RunsUserCodeOnce) {
  static int64_t sideEffects = 0;
  auto testCase = stateless([](const Tensors& x) -> Tensors {
    ++sideEffects;
    auto a = x[0] * 2;
    if (a.sum().item<float>() > 0) a = a + 1;
    ++sideEffects;
    return {a};
  });
  testCase.before = [](int) { sideEffects = 0; };
  testCase.kept = [] { return Tensors{at::full({1}, sideEffects)}; };
  expectSameAsEager(testCase);
}

TEST(Replay, LeavesAThrowInMidSegmentAsItIs) {
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        x[0].add_(1);
        auto d = at::dropout(x[0], 0.5, true);
        stash = {d};
        if (flag) throw std::runtime_error("user");
        auto e = at::sin(d);
        return {e + x[0]};
      },
      1, 6);
  testCase.before = [](int call) { flag = call == 1 || call == 4; };
  testCase.kept = [] { return stash; };
  expectSameAsEager(testCase);
  stash.clear();
}

class DivergenceAt : public testing::TestWithParam<int> {};
int position = 0;

TEST_P(DivergenceAt, GoesOnExactlyAndLearns) {
  position = GetParam();
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        auto a = x[0] * 2;
        auto q = a;
        if (position == 0 && flag) a = a + 5;
        x[0].add_(a);
        if (position == 1 && flag) return {q, a};
        auto d = at::dropout(a, 0.5, true);
        if (position == 2 && flag) d = d + q;
        d.mul_(2);
        auto e = d.sin();
        if (position == 3 && flag) e.sub_(1);
        return {d + e, q};
      },
      1, 7);
  testCase.before = [](int call) { flag = call == 1 || call == 3 || call == 4; };
  const auto counts = expectSameAsEager(testCase);
  EXPECT_EQ(counts[6].captured, 0);
  EXPECT_EQ(counts[6].divergences, 0);
}
INSTANTIATE_TEST_SUITE_P(Positions, DivergenceAt, testing::Range(0, 4));

TEST(Replay, SeesAScalarChange) {
  expectSameAsEager({.make =
                         [] {
                           auto calls = std::make_shared<int>(0);
                           return Function([calls](const Tensors& x) -> Tensors {
                             auto h = x[0] * 2;
                             x[0].add_(1);
                             ++*calls;
                             h = h + (*calls > 2 ? 1.5 : 0.5);
                             return {h * 3};
                           });
                         },
                     .inputs = [](int call) { return randomInputs(call); },
                     .calls = 5});
}

TEST(Replay, SeesTensorsSwapped) {
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        auto a = x[0] * 2;
        auto b = x[0] * 3;
        return {(flag ? b - a : a - b) * 2};
      },
      1, 5);
  testCase.before = [](int call) { flag = call % 2; };
  expectSameAsEager(testCase);
}

TEST(Replay, SettlesOnStateThatIsANewTensorEachCall) {
  const auto counts =
      expectSameAsEager({.make =
                             [] {
                               auto state = std::make_shared<at::Tensor>(at::ones({4, 4}));
                               return Function([state](const Tensors& x) -> Tensors {
                                 auto h = x[0] * 2;
                                 auto g = h * *state;
                                 *state = g.tanh();
                                 return {g + 2};
                               });
                             },
                         .inputs = [](int call) { return randomInputs(call); },
                         .calls = 6});
  EXPECT_EQ(counts[5].captured, 0);
}

TEST(Replay, SpeculatesNoErrorThatUserCodeAvoids) {
  DifferentialCase testCase{.make =
                                [] {
                                  return Function([](const Tensors& x) -> Tensors {
                                    auto a = x[0] * 2;
                                    if (flag) return {a};
                                    auto i = (a.abs() * 0).to(at::kLong) +
                                             (x[1] > 50).to(at::kLong) * 100;
                                    return {at::gather(a, 0, i)};
                                  });
                                },
                            .inputs =
                                [](int call) {
                                  auto inputs = randomInputs(call, 2);
                                  if (call == 2) inputs[1] = inputs[1] + 100;
                                  return inputs;
                                },
                            .calls = 5,
                            .before = [](int call) { flag = call == 2; }};
  expectSameAsEager(testCase);
}

TEST(Replay, GivesValuesThatUserCodeKeepsOnSomeCalls) {
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        auto a = x[0].sin();
        auto b = a.cos();
        stash.clear();
        if (flag) stash = {a, b};
        x[0].mul_(2);
        return {b + x[0]};
      },
      1, 5);
  testCase.before = [](int call) { flag = call >= 2; };
  testCase.kept = [] { return stash; };
  expectSameAsEager(testCase);
  stash.clear();
}

TEST(Replay, GivesValuesKeptOverABreak) {
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        auto a = x[0].sin();
        auto b = a.cos();
        stash.clear();
        if (flag) stash = {a};
        if (b.sum().item<float>() > 0) b = b + 1;
        x[0].mul_(2);
        return {b + x[0]};
      },
      1, 8);
  testCase.before = [](int call) { flag = call >= 3; };
  testCase.kept = [] { return stash; };
  expectSameAsEager(testCase);
  stash.clear();
}

TEST(Replay, IsReadByAnotherThread) {
  expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 3;
        auto g = h + 1;
        float read = 0;
        std::thread([&] { read = g.data_ptr<float>()[0] + h.sum().item<float>(); }).join();
        auto k = g * 2;
        return {read > 1 ? k + 1 : k, h};
      },
      1, 6));
}

TEST(Replay, TakesNumbersThatUserCodeWraps) {
  const auto counts = expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        if (h.sum().item<float>() > 1e9) h = h + 1;
        h = h.sin();
        h.index_put_({at::arange(2)}, at::scalar_tensor(3.0));
        return {h + 1};
      },
      1, 4));
  EXPECT_EQ(counts[3].captured, 0);
}

TEST(Replay, LeavesSparseTensorsAlone) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto h = x[0].relu();
    auto s = h.to_sparse();
    auto d = at::mm(s, x[0]);
    return {d + 1, h * 2};
  }));
}

TEST(Replay, LeavesQuantisedTensorsAlone) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    auto q = at::quantize_per_tensor(h, 0.1, 10, at::kQUInt8);
    return {q.dequantize() + 1, h};
  }));
}

TEST(Replay, RunsPlainlyBeyondTheLimitOfContinuations) {
  static double scalar = 0;
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        if (h.sum().item<float>() > 1e9) h = h + 1;
        return {h * scalar};
      },
      1, 14);
  testCase.before = [](int call) { scalar = call; };
  const auto counts = expectSameAsEager(testCase);
  EXPECT_EQ(counts[13].captured, 0);
  CompiledFunction compiled(testCase.make());
  for (int call = 0; call < 14; ++call) scalar = call, compiled(randomInputs(call));
  EXPECT_EQ(compiled.report().segmentsNotCompiled, 1);
  EXPECT_NE(compiled.report().notCompiled.find("more than 8 ways"), std::string::npos);
}

TEST(Replay, CompilesEqualIterationsOnce) {
  CompiledFunction compiled([](const Tensors& x) -> Tensors {
    auto h = x[0];
    for (int i = 0; i < 10 && h.sum().item<float>() > 0.001; ++i) h = h * 0.5;
    return {h + 1};
  });
  compiled({at::ones({4, 4})});
  EXPECT_LE(compiled.backendCalls(), 4);
}

}  // namespace
}  // namespace jitscope::compiler
