#include "compiler/graph.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace jitscope::compiler {
namespace {

constexpr auto kFloat = static_cast<DataType>(6);

TensorType matrix(int64_t rows, int64_t columns) {
  TensorType type;
  type.dataType = kFloat;
  type.sizes = {SizeExpression::constant(rows), SizeExpression::constant(columns)};
  type.strides = {SizeExpression::constant(columns), SizeExpression::constant(1)};
  return type;
}

/// silu(x @ w)
Graph mlp() {
  Graph graph;
  graph.name = "graph_0_0_0";
  graph.values = {{"l_x_", matrix(4, 16)},
                  {"l_w_", matrix(16, 16)},
                  {"matmul", matrix(4, 16)},
                  {"silu", matrix(4, 16)}};
  graph.inputs = {{ValueId{0}, "L['x']"}, {ValueId{1}, "L['w']"}};
  graph.nodes = {{"aten::matmul",
                  "",
                  {{"self", ValueId{0}}, {"other", ValueId{1}}},
                  {ValueId{2}},
                  {"model.cpp", 7, "mlp"}},
                 {"aten::silu", "", {{"self", ValueId{2}}}, {ValueId{3}}, {"model.cpp", 7, "mlp"}}};
  graph.outputs = {ValueId{3}};
  return graph;
}

TEST(SizeExpression, IsWrittenAsPeopleWriteIt) {
  const SymbolId s0{0}, s1{1};
  EXPECT_EQ(SizeExpression::constant(-4).text(), "-4");
  EXPECT_EQ(SizeExpression::symbol(s0).text(), "s0");
  EXPECT_EQ((SizeExpression{2, 3, 1, {s0, s1}}.text()), "2*s0*s1/3 + 1");
  EXPECT_EQ((SizeExpression{-1, 1, 128, {s0}}.text()), "-s0 + 128");
  EXPECT_EQ((SizeExpression{1, 2, -1, {s0}}.text()), "s0/2 - 1");
  EXPECT_EQ((SizeExpression{1, 1, std::numeric_limits<int64_t>::min(), {s0}}.text()),
            "s0 - 9223372036854775808");
}

TEST(SizeExpression, EvaluatesAndTellsWhenADivisionHasARest) {
  const std::array<int64_t, 2> values{6, 5};
  const SizeExpression expression{2, 3, 1, {SymbolId{0}, SymbolId{1}}};
  EXPECT_EQ(expression.evaluate(values), 21);
  EXPECT_TRUE(expression.isExact(values));
  EXPECT_FALSE((SizeExpression{1, 2, 0, {SymbolId{1}}}.isExact(values)));
  EXPECT_EQ(SizeExpression::constant(9).evaluate({}), 9);
}

TEST(SizeExpression, StaysDefinedForAbsurdValues) {
  const std::array<int64_t, 1> values{std::numeric_limits<int64_t>::max()};
  const SymbolId s{0};
  EXPECT_EQ((SizeExpression{1, 1, 1, {s}}.evaluate(values)), std::numeric_limits<int64_t>::min());
  SizeExpression{std::numeric_limits<int64_t>::min(), 3, 7, {s, s, s, s}}.evaluate(values);
}

TEST(TypeNames, AreTorchs) {
  EXPECT_EQ(dataTypeName(kFloat), "float32");
  EXPECT_EQ(dataTypeShortName(kFloat), "f32");
  EXPECT_EQ(dataTypeShortName(static_cast<DataType>(11)), "b8");
  EXPECT_EQ(dataTypeName(static_cast<DataType>(15)), "bfloat16");
  EXPECT_EQ(dataTypeName(static_cast<DataType>(-1)), "unknown_type");
  EXPECT_EQ((DeviceName{0, -1}.text()), "cpu");
  EXPECT_EQ((DeviceName{1, 0}.text()), "cuda:0");
  EXPECT_EQ((DeviceName{14, -1}.text()), "meta");
}

TEST(InputName, IsDynamos) {
  EXPECT_EQ(inputName("L['x']"), "L_x_");
  EXPECT_EQ(inputName("L['x'][0]"), "L_x_0_");
  EXPECT_EQ(inputName("L['self']._modules['linear']._parameters['weight']"),
            "L_self_modules_linear_parameters_weight_");
  EXPECT_EQ(inputName("0"), "_0");
  EXPECT_EQ(inputName(""), "_");
}

TEST(Verify, AcceptsAGraphThatCaptureMakes) {
  const auto result = verify(mlp());
  EXPECT_TRUE(result) << result.error().text;
}

TEST(Verify, AcceptsAnInPlaceOperatorThatGivesItsInput) {
  Graph graph = mlp();
  graph.nodes[1] = {
      "aten::add_", "Tensor", {{"self", ValueId{0}}, {"other", ValueId{1}}}, {ValueId{0}}, {}};
  graph.outputs = {ValueId{0}};
  EXPECT_TRUE(verify(graph));
}

struct Damage {
  const char* text;
  void (*damage)(Graph&);
};

class VerifyFinds : public testing::TestWithParam<Damage> {};

TEST_P(VerifyFinds, TheDamageAndItsPlace) {
  Graph graph = mlp();
  GetParam().damage(graph);
  const auto result = verify(graph);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text, std::string("graph graph_0_0_0: ") + GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Damages, VerifyFinds,
    testing::Values(
        Damage{"operator 0 (aten::matmul): value silu is used before it is defined",
               [](Graph& g) { g.nodes[0].arguments[0].value = ValueId{3}; }},
        Damage{"operator 1 (aten::silu): value matmul is defined twice",
               [](Graph& g) {
                 g.nodes[1].arguments.clear();
                 g.nodes[1].results = {ValueId{2}};
               }},
        Damage{"operator 1 (aten::silu): value 9 does not exist",
               [](Graph& g) { g.nodes[1].results = {ValueId{9}}; }},
        Damage{"outputs: value -7 does not exist", [](Graph& g) { g.outputs = {ValueId{-7}}; }},
        Damage{"outputs: an output is absent", [](Graph& g) { g.outputs = {ValueId::kNone}; }},
        Damage{"value silu: symbol 0 does not exist",
               [](Graph& g) { g.values[3].type.sizes[0] = SizeExpression::symbol(SymbolId{0}); }},
        Damage{"value silu: a size is divided by less than one",
               [](Graph& g) {
                 g.values[3].type.storageOffset = {0, 0, 0, {}};
               }},
        Damage{"value silu: 2 sizes but 1 strides",
               [](Graph& g) { g.values[3].type.strides.pop_back(); }},
        Damage{"value l_x_: another value has this name",
               [](Graph& g) { g.values[3].name = "l_x_"; }},
        Damage{"value 1x: its name is no identifier", [](Graph& g) { g.values[0].name = "1x"; }}));

TEST(IsSameComputation, IgnoresNamesSourcesAndNumbering) {
  Graph other = mlp();
  other.name = "other";
  std::swap(other.values[2], other.values[3]);
  other.nodes[0].results = {ValueId{3}};
  other.nodes[1].arguments[0].value = ValueId{3};
  other.nodes[1].results = {ValueId{2}};
  other.outputs = {ValueId{2}};
  other.values[0].name = "renamed";
  other.inputs[0].source = "L['y']";
  other.nodes[0].source = {};
  EXPECT_TRUE(isSameComputation(mlp(), other));
  EXPECT_TRUE(isSameComputation(other, mlp()));
}

class DifferentComputation : public testing::TestWithParam<void (*)(Graph&)> {};

TEST_P(DifferentComputation, IsSeen) {
  Graph other = mlp();
  GetParam()(other);
  EXPECT_FALSE(isSameComputation(mlp(), other));
  EXPECT_FALSE(isSameComputation(other, mlp()));
}

INSTANTIATE_TEST_SUITE_P(
    Differences, DifferentComputation,
    testing::Values([](Graph& g) { g.nodes[1].op = "aten::relu"; },
                    [](Graph& g) { g.nodes[1].overload = "out"; },
                    [](Graph& g) { g.nodes[0].arguments[1].value = ValueId{0}; },
                    [](Graph& g) { g.nodes[0].arguments[1].name = "mat2"; },
                    [](Graph& g) {
                      g.nodes[1].arguments.push_back({"alpha", Attribute(1.0)});
                    },
                    [](Graph& g) { g.nodes.pop_back(); },
                    [](Graph& g) { g.outputs = {ValueId{2}}; },
                    [](Graph& g) { g.values[3].type.requiresGrad = true; },
                    [](Graph& g) {
                      g.symbols.push_back({"s0", "", 4, 2, 9});
                    }));

TEST(IsSameComputation, ComparesDoublesByTheirBits) {
  const auto withScale = [](double scale) {
    Graph graph = mlp();
    graph.nodes[1].arguments.push_back({"scale", Attribute(scale)});
    return graph;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(isSameComputation(withScale(nan), withScale(nan)));
  EXPECT_FALSE(isSameComputation(withScale(0.0), withScale(-0.0)));
}

}  // namespace
}  // namespace jitscope::compiler
