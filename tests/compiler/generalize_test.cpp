#include "compiler/generalize/generalize.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "compiler/graph/traverse.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/shape_program.h"

namespace jitscope::compiler {
namespace {

using Values = std::vector<int64_t>;

/// The graph at these sizes: constants only.
Graph instantiated(Graph graph, const Values& values) {
  forEachExpressionOfGraph(
      graph, [&](SizeExpression& size) { size = SizeExpression::constant(size.evaluate(values)); });
  return graph;
}

/// x.slice(0, 0, end) * scale, where x is [n, 16].
Graph sliced(int64_t n, int64_t end, double scale = 0.5, const char* op = "aten::mul") {
  GraphBuilder build;
  build.symbol("L['x'].size()[0]", n);
  const ValueId x = build.input("L['x']", {n, 16});
  const ValueId part =
      build.node("aten::slice", "Tensor", {{"self", x}, {"dim", integer(0)}, {"end", integer(end)}},
                 {end, 16});
  build.graph().nodes[0].source = {"model.cpp", 7, "step"};
  build.output(build.node(op, "Scalar", {{"self", part}, {"other", Attribute(scale)}}, {end, 16}));
  return build.graph();
}

Graph merged(const Graph& left, const Values& leftValues, const Graph& right,
             const Values& rightValues) {
  const auto result = generalize(left, leftValues, right, rightValues);
  EXPECT_TRUE(result) << result.error().text;
  if (!result) return {};
  EXPECT_TRUE(verify(*result)) << verify(*result).error().text;
  return *result;
}

std::string sizeText(const Graph& graph, size_t value, size_t dimension) {
  return graph.values[value].type.sizes[dimension].text();
}

TEST(Generalize, FindsTheSizeItsNeighbourAndItsHalf) {
  const Graph last = merged(sliced(8, 7), {8}, sliced(12, 11), {12});
  EXPECT_EQ(sizeText(last, 0, 0), "s0");
  EXPECT_EQ(sizeText(last, 0, 1), "16");
  EXPECT_EQ(sizeText(last, 2, 0), "s0 - 1");
  EXPECT_EQ(std::get<Attribute>(last.nodes[0].arguments[2].value),
            Attribute(SizeExpression{1, 1, -1, {SymbolId{0}}}));
  const Graph half = merged(sliced(8, 4), {8}, sliced(12, 6), {12});
  EXPECT_EQ(sizeText(half, 2, 0), "s0/2");
  const Graph rest = merged(sliced(8, 120), {8}, sliced(12, 116), {12});
  EXPECT_EQ(sizeText(rest, 2, 0), "-s0 + 128");
}

TEST(Generalize, KeepsWhatIsTheSameInBoth) {
  const Graph same = merged(sliced(8, 4), {8}, sliced(12, 4), {12});
  EXPECT_EQ(sizeText(same, 2, 0), "4");
}

TEST(Generalize, FollowsStridesOverFlattenedSizes) {
  const auto at = [](int64_t n) {
    GraphBuilder build;
    build.symbol("L['x'].size()[1]", n);
    const ValueId x = build.input("L['x']", {4, n, 3});
    build.output(build.node(
        "aten::view", "",
        {{"self", x}, {"size", Attribute(std::vector{SizeExpression::constant(4 * n * 3)})}},
        {12 * n}));
    return build.graph();
  };
  const Graph graph = merged(at(5), {5}, at(7), {7});
  EXPECT_EQ(graph.values[0].type.strides[0].text(), "3*s0");
  EXPECT_EQ(sizeText(graph, 1, 0), "12*s0");
}

TEST(Generalize, TakesTheSymbolOfTheSameDimensionWhenTwoFit) {
  // Both symbols have the same values in both samples.
  const auto at = [](int64_t n) {
    GraphBuilder build;
    build.symbol("L['x'].size()[0]", n);
    build.symbol("L['w'].size()[1]", n);
    const ValueId x = build.input("L['x']", {n, 16}), w = build.input("L['w']", {16, n});
    build.output(build.node("aten::matmul", "", {{"self", x}, {"other", w}}, {n, n}));
    return build.graph();
  };
  const Graph graph = merged(at(5), {5, 5}, at(7), {7, 7});
  EXPECT_EQ(sizeText(graph, 0, 0), "s0");
  EXPECT_EQ(sizeText(graph, 1, 1), "s1");
  EXPECT_EQ(sizeText(graph, 2, 0), "s0");
  EXPECT_EQ(sizeText(graph, 2, 1), "s1");
  EXPECT_EQ(graph.values[2].type.strides[0].text(), "s1");
}

TEST(Generalize, ReadsAFactorThatIsAnotherSizeAsThatSize) {
  // s1 stood still: 6*s0 and s0*s1 both explain the flattened size.
  const auto at = [](int64_t n) {
    GraphBuilder build;
    build.symbol("L['x'].size()[0]", n);
    build.symbol("L['x'].size()[1]", 6);
    const ValueId x =
        build.input("L['x']", {SizeExpression::constant(n), SizeExpression::symbol(SymbolId{1})});
    build.output(build.node("aten::flatten", "using_ints", {{"self", x}}, {6 * n}));
    return build.graph();
  };
  const Graph graph = merged(at(4), {4, 6}, at(8), {8, 6});
  EXPECT_EQ(sizeText(graph, 1, 0), "s0*s1");
}

TEST(Generalize, BelievesAHypothesisAsLongAsItHolds) {
  Graph guess = sliced(8, 4);
  guess.values[2].type.sizes[0] = SizeExpression{1, 2, 0, {SymbolId{0}}};
  EXPECT_EQ(sizeText(merged(guess, {8}, sliced(12, 6), {12}), 2, 0), "s0/2");
  EXPECT_EQ(sizeText(merged(guess, {8}, sliced(12, 8), {12}), 2, 0), "s0 - 4")
      << "what it guessed does not explain the second sample";
}

struct Refusal {
  Graph left, right;
  const char* text;
};

class GeneralizeRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(GeneralizeRefuses, AndNamesThePlace) {
  const auto result = generalize(GetParam().left, Values{8}, GetParam().right, Values{12});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text, GetParam().text);
}

Graph withoutLast(Graph graph) {
  graph.nodes.pop_back();
  graph.outputs.clear();
  return graph;
}

INSTANTIATE_TEST_SUITE_P(
    Differences, GeneralizeRefuses,
    testing::Values(
        Refusal{sliced(8, 8, 0.125), sliced(12, 12, 0.25),
                "operator 1 (aten::mul.Scalar): argument other is 0.125 in one sample and 0.25 in "
                "the other, which no size explains"},
        Refusal{sliced(8, 8, 0.5), sliced(12, 12, 0.5, "aten::div"),
                "operator 1: the operator is aten::mul.Scalar in one sample and aten::div.Scalar "
                "in the other, which no size explains"},
        Refusal{sliced(8, 8), withoutLast(sliced(12, 12)),
                "operator 1: the operator is aten::mul.Scalar in one sample and the end in the "
                "other, which no size explains"},
        Refusal{sliced(8, 17), sliced(12, 16),
                "operator 0 (aten::slice.Tensor at model.cpp:7): argument end is 17 in one sample "
                "and 16 in the other, which no size explains"}));

TEST(FirstDifference, IsEmptyWhereThePredictionHolds) {
  const Graph general = merged(sliced(8, 7), {8}, sliced(12, 11), {12});
  EXPECT_EQ(firstDifference(general, sliced(20, 19), Values{20}), "");
}

TEST(FirstDifference, NamesExpectedAndActual) {
  const Graph general = merged(sliced(8, 4), {8}, sliced(12, 6), {12});
  EXPECT_EQ(firstDifference(general, sliced(20, 11), Values{20}),
            "operator 0 (aten::slice.Tensor at model.cpp:7): argument end: expected 10 (s0/2), "
            "actual 11");
  EXPECT_EQ(firstDifference(general, sliced(20, 10, 0.75), Values{20}),
            "operator 1 (aten::mul.Scalar): argument other: expected 0.5, actual 0.75");
}

TEST(FirstDifference, DoesNotAcceptADivisionWithARest) {
  const Graph general = merged(sliced(8, 4), {8}, sliced(12, 6), {12});
  EXPECT_NE(firstDifference(general, sliced(21, 10), Values{21}), "");
}

struct Sizes {
  const char* name;
  Values left, right, third;
};

/// Whether two sizes have the same values in both samples.
bool movesTogether(const Values& left, const Values& right) {
  return left.size() == 2 && left[0] == left[1] && right[0] == right[1];
}

class GeneralizeRandom : public testing::TestWithParam<Sizes> {};

TEST_P(GeneralizeRandom, PredictsAThirdSizeOrFirstDifferenceSaysThatItDoesNot) {
  const auto& [name, left, right, third] = GetParam();
  constexpr uint64_t kPrograms = 500;
  uint64_t wrong = 0, refused = 0;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    ShapeProgram program(seed, left.size());
    const Graph a = program.capture(left), b = program.capture(right), c = program.capture(third);
    ASSERT_TRUE(verify(a)) << verify(a).error().text;
    const auto general = generalize(a, left, b, right);
    if (!general) {
      ++refused;
      continue;
    }
    ASSERT_TRUE(verify(*general)) << verify(*general).error().text;
    EXPECT_TRUE(isSameComputation(instantiated(*general, left), a)) << printGraph(*general);
    EXPECT_TRUE(isSameComputation(instantiated(*general, right), b)) << printGraph(*general);
    EXPECT_EQ(firstDifference(*general, a, left), "");
    EXPECT_EQ(firstDifference(*general, b, right), "");
    const bool isRight = isSameComputation(instantiated(*general, third), c);
    EXPECT_EQ(firstDifference(*general, c, third).empty(), isRight) << "seed " << seed << "\n"
                                                                    << printGraph(*general);
    wrong += isRight ? 0 : 1;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  RecordProperty("wrong", std::to_string(wrong));
  EXPECT_EQ(refused, 0u);
  // Sizes that move together cannot be told apart; others only rarely look alike.
  if (!movesTogether(left, right)) {
    EXPECT_LE(wrong, kPrograms / 100);
  }
}

TEST_P(GeneralizeRandom, ConfirmsOrMendsAHypothesis) {
  const auto& [name, left, right, third] = GetParam();
  constexpr uint64_t kPrograms = 300;
  uint64_t wrong = 0;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    ShapeProgram program(seed, left.size());
    const Graph a = program.capture(left), b = program.capture(right), c = program.capture(third);
    const Graph guess = hypothesize(a, left);
    ASSERT_TRUE(verify(guess)) << verify(guess).error().text;
    EXPECT_TRUE(isSameComputation(instantiated(guess, left), a)) << printGraph(guess);
    const auto general = generalize(guess, left, b, right);
    ASSERT_TRUE(general) << "seed " << seed << ": " << general.error().text;
    EXPECT_TRUE(isSameComputation(instantiated(*general, right), b)) << printGraph(*general);
    wrong += firstDifference(*general, c, third).empty() ? 0 : 1;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  if (!movesTogether(left, right)) {
    EXPECT_LE(wrong, kPrograms / 50);
  }
}

INSTANTIATE_TEST_SUITE_P(SizesOf, GeneralizeRandom,
                         testing::Values(Sizes{"One", {24}, {40}, {56}},
                                         Sizes{"Two", {24, 40}, {56, 88}, {72, 104}},
                                         Sizes{"OneStill", {24, 40}, {56, 40}, {72, 40}},
                                         Sizes{"Together", {24, 24}, {40, 40}, {56, 72}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Hypothesize, MostlyGuessesPlainProgramsFromOneSample) {
  constexpr uint64_t kPrograms = 300;
  const std::vector<std::pair<Values, Values>> cases{{{24}, {56}}, {{24, 40}, {72, 104}}};
  for (const auto& [sample, other] : cases) {
    uint64_t held = 0;
    for (uint64_t seed = 0; seed < kPrograms; ++seed) {
      ShapeProgram program(seed, sample.size(), true);
      const Graph guess = hypothesize(program.capture(sample), sample);
      held += firstDifference(guess, program.capture(other), other).empty() ? 1 : 0;
    }
    EXPECT_GT(held, kPrograms * 9 / 10);
  }
}

}  // namespace
}  // namespace jitscope::compiler
