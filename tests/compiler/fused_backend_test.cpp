#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "compiler/backend.h"
#include "compiler/generalize/generalize.h"
#include "compiler/loops/lowering.h"
#include "tests/compiler/random_fusion.h"

// The backend "fused" against eager.
namespace jitscope::compiler {
namespace {

CompiledGraph compile(const Graph& graph, const std::vector<at::Tensor>& inputs) {
  return backendByName("fused")(graph, inputs);
}

/// Empty when the fused function of this seed does as eager does.
std::string failureOf(const RandomFusion& random) {
  const TracedGraph traced = traceRandom(random);
  RandomFusion exact = random;
  exact.type = at::kDouble;
  const auto actual = compile(traced.graph(), traced.inputs())(traced.inputs(), {});
  return differenceOf(actual, traced.results(), traceRandom(exact).results());
}

TEST(FusedBackend, DoesAsEagerDoesInRandomFunctions) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto type = seed % 5 == 4 ? at::kBFloat16 : seed % 5 == 3 ? at::kDouble : at::kFloat;
    EXPECT_EQ(failureOf({.seed = seed, .type = type}), "") << "seed " << seed;
  }
}

TEST(FusedBackend, DoesAsEagerDoesAtSmallAndEmptySizes) {
  for (uint64_t seed = 100; seed < 110; ++seed) {
    EXPECT_EQ(failureOf({.seed = seed, .rows = 1}), "") << "seed " << seed;
  }
}

TEST(FusedBackend, ServesAllSizesOfAGeneralGraph) {
  int served = 0;
  for (uint64_t seed = 200; seed < 212; ++seed) {
    const RandomFusion first{.seed = seed, .rows = 4}, second{.seed = seed, .rows = 7};
    Graph left = traceRandom(first).graph(), right = traceRandom(second).graph();
    left.symbols.push_back({"s0", "L['x0'].size()[0]", 4, 2, 1 << 20, {}});
    right.symbols = left.symbols;
    right.symbols[0].hint = 7;
    const auto general = generalize(left, std::vector<int64_t>{4}, right, std::vector<int64_t>{7});
    if (!general) continue;
    const auto compiled = compile(*general, traceRandom(second).inputs());
    for (const int64_t rows : {4, 7, 130}) {
      RandomFusion random{.seed = seed, .rows = rows}, exact = random;
      exact.type = at::kDouble;
      const TracedGraph traced = traceRandom(random);
      const std::vector<int64_t> symbols{rows};
      if (!hasExactSizes(*general, symbols)) continue;
      EXPECT_EQ(differenceOf(compiled(traced.inputs(), symbols), traced.results(),
                             traceRandom(exact).results()),
                "")
          << "seed " << seed << " rows " << rows;
      ++served;
    }
  }
  EXPECT_GT(served, 20);
}

TEST(FusedBackend, RunsWhatHasNoLoopsBetweenItsKernels) {
  TracedGraph traced;
  const ValueId x = traced.input(at::randn({6, 8})), w = traced.input(at::randn({8, 8}));
  const ValueId h = traced.call("cos", "", {{"self", x}});
  const ValueId t = traced.call("t", "", {{"self", w}});
  const ValueId y = traced.call("mm", "", {{"self", h}, {"mat2", t}});
  traced.output(traced.call("silu", "", {{"self", y}}));
  const auto actual = compile(traced.graph(), traced.inputs())(traced.inputs(), {});
  EXPECT_TRUE(actual[0].allclose(traced.results()[0], 1e-5, 1e-6));
}

TEST(FusedBackend, GivesViewsOfInputsAndOfResultsAsViews) {
  TracedGraph traced;
  const ValueId x = traced.input(at::randn({4, 6}));
  const ValueId y = traced.call("exp", "", {{"self", x}});
  traced.output(
      traced.call("transpose", "int", {{"self", x}, {"dim0", int64_t{0}}, {"dim1", int64_t{1}}}));
  traced.output(y);
  traced.output(
      traced.call("select", "int", {{"self", y}, {"dim", int64_t{0}}, {"index", int64_t{1}}}));
  const auto actual = compile(traced.graph(), traced.inputs())(traced.inputs(), {});
  EXPECT_TRUE(actual[0].is_alias_of(traced.inputs()[0]));
  EXPECT_TRUE(actual[2].is_alias_of(actual[1]));
  EXPECT_TRUE(at::equal(actual[0], traced.results()[0]));
  EXPECT_TRUE(at::equal(actual[2], actual[1].select(0, 1)));
  EXPECT_EQ(actual[2].storage_offset(), 6);
}

TEST(FusedBackend, TakesTensorsOfAnotherLayoutThanItsGraphOperatorByOperator) {
  TracedGraph traced;
  traced.output(traced.call("exp", "", {{"self", traced.input(at::randn({4, 6}))}}));
  const auto compiled = compile(traced.graph(), traced.inputs());
  const at::Tensor x = at::randn({6, 4}).t();
  EXPECT_TRUE(compiled(std::vector{x}, {})[0].allclose(x.exp()));
}

TEST(FusedBackend, LeavesAGraphThatWritesToItsInputsAsItIs) {
  TracedGraph traced;
  const ValueId x = traced.input(at::zeros({4}));
  const ValueId one = traced.call("add_", "Scalar", {{"self", x}, {"other", 1.0}});
  traced.output(traced.call("exp", "", {{"self", one}}));
  const at::Tensor fresh = at::zeros({4});
  compile(traced.graph(), traced.inputs())(std::vector{fresh}, {});
  EXPECT_EQ(fresh.sum().item<float>(), 4);
}

TEST(FusedBackend, KeepsNanInfinityAndSignedZero) {
  TracedGraph traced;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  at::Tensor special = at::zeros({64});
  const std::vector<double> numbers{nan,   infinity, -infinity, 0.0, -0.0,
                                    1e-42, -1e-42,   3e38,      90,  -90};
  for (size_t i = 0; i < numbers.size(); ++i) special[static_cast<int64_t>(i)] = numbers[i];
  const ValueId x = traced.input(special);
  // Without gelu, whose own implementation gives NaN for infinity.
  for (const char* op :
       {"exp", "tanh", "sigmoid", "silu", "erf", "log", "sqrt", "relu", "abs", "neg", "rsqrt"}) {
    traced.output(traced.call(op, "", {{"self", x}}));
  }
  traced.output(traced.call("amax", "", {{"self", x}}));
  traced.output(traced.call("clamp", "", {{"self", x}, {"min", -1.0}, {"max", 1.0}}));
  const auto actual = compile(traced.graph(), traced.inputs())(traced.inputs(), {});
  const auto expected = traced.results();
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_TRUE(actual[i].isnan().equal(expected[i].isnan())) << i;
    EXPECT_TRUE(actual[i].allclose(expected[i], 1e-6, 1e-37, true))
        << i << actual[i] << expected[i];
    EXPECT_TRUE(at::equal(actual[i].signbit().logical_or(actual[i].isnan()),
                          expected[i].signbit().logical_or(expected[i].isnan())))
        << i;
  }
}

TEST(FusedBackend, HasLoopsForAtLeastAHundredOperators) { EXPECT_GE(loweringRuleCount(), 100u); }

}  // namespace
}  // namespace jitscope::compiler
