#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "compiler/backend.h"
#include "compiler/generalize/generalize.h"
#include "compiler/loops/lowering.h"
#include "tests/compiler/kernel_names.h"
#include "tests/compiler/random_fusion.h"

// The backend "fused" against eager. It runs the graph's operators where it has no kernels, so that
// results alone prove nothing: that kernels ran is looked at too.
namespace jitscope::compiler {
namespace {

CompiledGraph compile(const Graph& graph, const std::vector<at::Tensor>& inputs) {
  return backendByName("fused")(graph, inputs);
}

/// Whether a result is more than a view of an input, so that something must have computed it.
bool isComputed(const TracedGraph& traced) {
  const auto isView = [&](const at::Tensor& result) {
    return std::any_of(traced.inputs().begin(), traced.inputs().end(),
                       [&](const at::Tensor& input) { return result.is_alias_of(input); });
  };
  const auto results = traced.results();
  return !std::all_of(results.begin(), results.end(), isView);
}

/// The results for the inputs of `traced`, which kernels must have computed.
std::vector<at::Tensor> resultsOfKernels(const CompiledGraph& compiled, const TracedGraph& traced,
                                         const std::vector<int64_t>& symbols = {}) {
  const KernelNames kernels;
  auto results = compiled(traced.inputs(), symbols);
  EXPECT_TRUE(!kernels.names().empty() || !isComputed(traced));
  return results;
}

std::vector<at::Tensor> resultsOfKernels(const TracedGraph& traced) {
  return resultsOfKernels(compile(traced.graph(), traced.inputs()), traced);
}

/// Empty when the fused function of this seed does as eager does.
std::string failureOf(const RandomFusion& random) {
  const TracedGraph traced = traceRandom(random);
  RandomFusion exact = random;
  exact.type = at::kDouble;
  return differenceOf(resultsOfKernels(traced), traced.results(), traceRandom(exact).results());
}

TEST(FusedBackend, DoesAsEagerDoesInRandomFunctions) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto type = seed % 5 == 4 ? at::kBFloat16 : seed % 5 == 3 ? at::kDouble : at::kFloat;
    EXPECT_EQ(failureOf({.seed = seed, .type = type}), "") << "seed " << seed;
  }
}

TEST(FusedBackend, DoesAsEagerDoesAtSmallAndEmptySizes) {
  for (uint64_t seed = 100; seed < 110; ++seed) {
    for (const int64_t rows : {0, 1}) {
      EXPECT_EQ(failureOf({.seed = seed, .rows = rows}), "") << "seed " << seed << " rows " << rows;
    }
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
      EXPECT_EQ(differenceOf(resultsOfKernels(compiled, traced, symbols), traced.results(),
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
  const auto actual = resultsOfKernels(traced);
  EXPECT_TRUE(actual[0].allclose(traced.results()[0], 1e-5, 1e-6));
}

class GroupsOfChannels : public testing::TestWithParam<at::ScalarType> {};

TEST_P(GroupsOfChannels, AreNormalizedInOneKernelThatGivesTheirStatisticsToo) {
  TracedGraph traced;
  const auto options = at::TensorOptions(GetParam());
  const ValueId x = traced.input(at::randn({3, 6, 5, 2}, options));
  const ValueId weight = traced.input(at::randn({6}, options));
  const ValueId bias = traced.input(at::randn({6}, options));
  const auto ids = traced.callAll("native_group_norm", "",
                                  {{"input", x},
                                   {"weight", weight},
                                   {"bias", bias},
                                   {"N", int64_t{3}},
                                   {"C", int64_t{6}},
                                   {"HxW", int64_t{10}},
                                   {"group", int64_t{2}},
                                   {"eps", 1e-5}});
  for (const ValueId id : ids) traced.output(id);
  const CompiledGraph compiled = compile(traced.graph(), traced.inputs());
  const KernelNames kernels;
  const auto actual = compiled(traced.inputs(), {});
  EXPECT_EQ(kernels.names().size(), 1u);
  const double tolerance = GetParam() == at::kBFloat16 ? 2e-2 : 1e-5;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(actual[i].scalar_type(), traced.results()[i].scalar_type());
    EXPECT_EQ(actual[i].sizes(), traced.results()[i].sizes());
    EXPECT_TRUE(actual[i].allclose(traced.results()[i], tolerance, tolerance)) << i;
  }
}

TEST(FusedBackend, NormalizesTheGroupsThatTheArgumentsTellWhateverTheSizes) {
  TracedGraph traced;
  const ValueId x = traced.input(at::randn({2, 12}));
  const ValueId weight = traced.input(at::randn({6}));
  const auto ids = traced.callAll("native_group_norm", "",
                                  {{"input", x},
                                   {"weight", weight},
                                   {"bias", weight},
                                   {"N", int64_t{4}},
                                   {"C", int64_t{6}},
                                   {"HxW", int64_t{1}},
                                   {"group", int64_t{2}},
                                   {"eps", 1e-5}});
  for (const ValueId id : ids) traced.output(id);
  const auto actual = compile(traced.graph(), traced.inputs())(traced.inputs(), {});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(actual[i].sizes(), traced.results()[i].sizes()) << i;
    EXPECT_TRUE(actual[i].allclose(traced.results()[i], 1e-5, 1e-5)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GroupsOfChannels,
                         testing::Values(at::kFloat, at::kDouble, at::kBFloat16),
                         [](const auto& type) { return std::string(at::toString(type.param)); });

TEST(FusedBackend, GivesViewsOfInputsAndOfResultsAsViews) {
  TracedGraph traced;
  const ValueId x = traced.input(at::randn({4, 6}));
  const ValueId y = traced.call("exp", "", {{"self", x}});
  traced.output(
      traced.call("transpose", "int", {{"self", x}, {"dim0", int64_t{0}}, {"dim1", int64_t{1}}}));
  traced.output(y);
  traced.output(
      traced.call("select", "int", {{"self", y}, {"dim", int64_t{0}}, {"index", int64_t{1}}}));
  const auto actual = resultsOfKernels(traced);
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
  const KernelNames kernels;
  EXPECT_TRUE(compiled(std::vector{x}, {})[0].allclose(x.exp()));
  EXPECT_TRUE(kernels.names().empty());
  resultsOfKernels(compiled, traced);  // and those of its own layout by a kernel
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
  const auto actual = resultsOfKernels(traced);
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

/// Expects that each result is eager's to the last bit, NaN for NaN.
void expectSame(const TracedGraph& traced, const std::string& where) {
  const auto actual = resultsOfKernels(traced), expected = traced.results();
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].scalar_type(), expected[i].scalar_type()) << where << ", output " << i;
    EXPECT_TRUE(at::allclose(actual[i].to(at::kDouble), expected[i].to(at::kDouble), 0, 0, true))
        << where << ", output " << i << "\n"
        << actual[i] << expected[i];
  }
}

/// 64 numbers, among them `number` and its like, as `type` holds them.
at::Tensor numbersAround(double number, at::ScalarType type) {
  at::Tensor x = at::zeros({64}, at::kDouble);
  for (int64_t i = 0; i < 64; ++i) {
    x[i] = i % 4 == 0 ? number * static_cast<double>(i / 4 + 1) : 0.37 * static_cast<double>(i + 1);
  }
  return x.to(type);
}

constexpr std::array kFloatingTypes{at::kBFloat16, at::kHalf, at::kFloat, at::kDouble};

TEST(FusedBackend, ComparesWithANumberAsTheTensorsTypeHoldsIt) {
  const auto compareAll = [](const at::Tensor& numbers, const TracedGraph::Value& number) {
    TracedGraph traced;
    const ValueId x = traced.input(numbers);
    for (const char* op : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      traced.output(traced.call(op, "Scalar", {{"self", x}, {"other", number}}));
    }
    expectSame(traced, numbers.toString());
  };
  for (const double number : {0.7, 3.3, -0.1, 257.0, 1e-9}) {
    for (const at::ScalarType type : kFloatingTypes) {
      compareAll(numbersAround(number, type), number);
    }
    compareAll(numbersAround(number, at::kInt), number);
  }
  for (const int64_t number : {int64_t{300}, int64_t{-1}, int64_t{1} << 40, int64_t{44}}) {
    for (const at::ScalarType type : {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong}) {
      compareAll(at::arange(-2, 62, at::kLong).to(type), number);
    }
  }
}

TEST(FusedBackend, ComputesWithANumberAsTorchRoundsIt) {
  for (const at::ScalarType type : kFloatingTypes) {
    for (const double number : {0.7, 3.3, -0.1}) {
      TracedGraph traced;
      const ValueId x = traced.input(numbersAround(number, type));
      for (const char* op : {"add", "sub", "rsub", "mul", "div", "remainder", "fmod"}) {
        traced.output(traced.call(op, "Scalar", {{"self", x}, {"other", number}}));
      }
      traced.output(traced.call("clamp", "", {{"self", x}, {"min", -number}, {"max", number}}));
      traced.output(traced.call("clamp_min", "", {{"self", x}, {"min", number}}));
      expectSame(traced, std::string(at::toString(type)) + " " + std::to_string(number));
    }
  }
}

TEST(FusedBackend, RaisesToAPowerAsTheTensorsTypeHoldsIt) {
  // The digits that the type has not would change the result by twice its precision.
  const auto raise = [](at::ScalarType type, double exponent, double precision) {
    TracedGraph traced;
    const ValueId x = traced.input(at::full({64}, 24.0).to(type));
    traced.output(traced.call("pow", "Tensor_Scalar", {{"self", x}, {"exponent", exponent}}));
    const auto actual = resultsOfKernels(traced)[0], expected = traced.results()[0];
    EXPECT_TRUE(at::allclose(actual, expected, precision, 0)) << actual[0] << expected[0];
  };
  raise(at::kBFloat16, 3.01, 8e-3);
  raise(at::kHalf, 3.0027, 1e-3);
}

TEST(FusedBackend, ChoosesBetweenNumbersOfTheResultsType) {
  for (const at::ScalarType type : kFloatingTypes) {
    TracedGraph traced;
    const ValueId x = traced.input(numbersAround(0.7, type));
    const ValueId mask = traced.call("lt", "Scalar", {{"self", x}, {"other", 1.0}});
    const TracedGraph::Arguments chosen{{"condition", mask}, {"self", x}, {"other", 0.1}};
    const std::vector<ValueId> results{
        traced.call("where", "ScalarOther", chosen),
        traced.call("masked_fill", "Scalar", {{"self", x}, {"mask", mask}, {"value", 0.1}}),
        traced.call("threshold", "", {{"self", x}, {"threshold", 2.0}, {"value", 0.1}}),
        traced.call("hardtanh", "", {{"self", x}, {"min_val", -0.1}, {"max_val", 0.1}})};
    // Another type shows the digits that this one has not.
    const at::ScalarType other = type == at::kDouble ? at::kFloat : at::kDouble;
    for (const ValueId result : results) {
      traced.output(traced.call("to", "dtype", {{"self", result}, {"dtype", other}}));
      traced.output(traced.call("eq", "Scalar", {{"self", result}, {"other", 0.1}}));
    }
    expectSame(traced, at::toString(type));
  }
}

TEST(FusedBackend, CastsFilledTensorsAsTheirTypeHoldsThem) {
  const auto cast = [](const TracedGraph::Value& number, at::ScalarType from, at::ScalarType to) {
    TracedGraph traced;
    const ValueId x = traced.input(at::ones({64}, to));
    const ValueId filled = traced.call(
        "full", "", {{"size", std::vector<int64_t>{64}}, {"fill_value", number}, {"dtype", from}});
    const ValueId wide = traced.call("to", "dtype", {{"self", filled}, {"dtype", to}});
    traced.output(traced.call("mul", "Tensor", {{"self", x}, {"other", wide}}));
    expectSame(traced, std::string(at::toString(from)) + " to " + at::toString(to));
  };
  for (const at::ScalarType from : kFloatingTypes) {
    for (const double number : {0.1, 300.7, -1.7, 5000.3}) {
      for (const at::ScalarType to : {at::kFloat, at::kDouble, at::kLong, at::kByte}) {
        if (to != from) cast(number, from, to);
      }
    }
  }
  cast(16777217.0, at::kFloat, at::kLong);
  cast(int64_t{300}, at::kLong, at::kByte);
  cast(int64_t{-1}, at::kInt, at::kByte);
  cast(int64_t{1} << 40, at::kLong, at::kInt);
  cast((int64_t{1} << 24) + 1, at::kLong, at::kFloat);
}

TEST(FusedBackend, CastsNegativeNumbersToBytes) {
  for (const at::ScalarType type : kFloatingTypes) {
    TracedGraph traced;
    const ValueId x = traced.input(at::arange(-320, 320, at::kDouble).mul(1.1).to(type));
    traced.output(traced.call("to", "dtype", {{"self", x}, {"dtype", at::kByte}}));
    expectSame(traced, at::toString(type));
  }
}

TEST(FusedBackend, HasLoopsForAtLeastAHundredOperators) { EXPECT_GE(loweringRuleCount(), 100u); }

}  // namespace
}  // namespace jitscope::compiler
