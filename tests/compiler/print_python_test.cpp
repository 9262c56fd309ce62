#include <gtest/gtest.h>

#include "compiler/graph.h"
#include "compiler/graph/print_operators.h"
#include "tests/compiler/graph_builder.h"

namespace jitscope::compiler {
namespace {

TEST(PrintPython, PrintsAnMlpAsFxDoes) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4, 16}), w = build.input("L['w']", {16, 16});
  const ValueId product = build.node("aten::matmul", "", {{"self", x}, {"other", w}}, {4, 16});
  build.output(build.node("aten::silu", "", {{"self", product}}, {4, 16}));
  EXPECT_EQ(printPython(build.graph()),
            "def forward(self, L_x_ : Tensor, L_w_ : Tensor):\n"
            "    l_x_ = L_x_\n"
            "    l_w_ = L_w_\n"
            "    matmul = l_x_ @ l_w_;  l_x_ = l_w_ = None\n"
            "    silu = torch.nn.functional.silu(matmul);  matmul = None\n"
            "    return (silu,)\n");
}

TEST(PrintReadable, AddsTypesAndPlaces) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4, 16});
  const ValueId relu = build.node("aten::relu", "", {{"self", x}}, {4, 16});
  build.graph().nodes[0].source = {"model.cpp", 7, "step"};
  build.output(relu);
  EXPECT_EQ(printReadable(build.graph()),
            "def forward(self, L_x_: \"f32[4, 16][16, 1]cpu\"):\n"
            "    l_x_ = L_x_\n"
            "\n"
            "    # File: model.cpp:7 in step\n"
            "    relu: \"f32[4, 16][16, 1]cpu\" = torch.relu(l_x_);  l_x_ = None\n"
            "    return (relu,)\n");
}

TEST(PrintOperators, NamesThemInFullAndInputsAsTheyAreCalled) {
  GraphBuilder build;
  const ValueId x = build.input("primals_1", {4}), y = build.input("primals_2", {4});
  const Attribute one = SizeExpression::constant(1);
  build.output(build.node("aten::add", "Tensor", {{"self", x}, {"other", y}, {"alpha", one}}, {4}));
  EXPECT_EQ(printOperators(build.graph()),
            "def forward(self, primals_1: \"f32[4][1]cpu\", primals_2: \"f32[4][1]cpu\"):\n"
            "    add: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(primals_1, primals_2, "
            "alpha = 1);  primals_1 = primals_2 = None\n"
            "    return (add,)\n");
}

TEST(PrintPython, ShowsSymbolsAndSizesThatFollowThem) {
  GraphBuilder build;
  const SizeExpression s0 = build.symbol("L['x'].size()[0]", 4);
  const ValueId x = build.input("L['x']", {s0, SizeExpression::constant(16)});
  const SizeExpression flat{16, 1, 0, {SymbolId{0}}};
  build.output(
      build.node("aten::view", "", {{"self", x}, {"size", Attribute(std::vector{flat})}}, {flat}));
  EXPECT_EQ(printPython(build.graph()),
            "def forward(self, s0 : Sym(s0), L_x_ : Tensor):\n"
            "    l_x_ = L_x_\n"
            "    view = l_x_.view(16*s0);  l_x_ = None\n"
            "    return (view,)\n");
}

TEST(PrintPython, TakesTheUsedOfSeveralResultsOutOfATuple) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4, 16});
  const auto top = build.nodeWithResults("aten::topk", "",
                                         {{"self", x},
                                          {"k", Attribute(SizeExpression::constant(2))},
                                          {"dim", Attribute(SizeExpression::constant(-1))},
                                          {"largest", Attribute(true)},
                                          {"sorted", Attribute(true)}},
                                         2);
  const auto parts = build.nodeWithList(
      "aten::split_with_sizes", "",
      {{"self", x},
       {"split_sizes",
        Attribute(std::vector{SizeExpression::constant(1), SizeExpression::constant(3)})},
       {"dim", Attribute(SizeExpression::constant(0))}},
      2);
  build.output(top[1]);
  build.output(parts[0]);
  build.output(parts[1]);
  EXPECT_EQ(printPython(build.graph()),
            "def forward(self, L_x_ : Tensor):\n"
            "    l_x_ = L_x_\n"
            "    topk = torch.topk(l_x_, 2)\n"
            "    getitem_1 = topk[1];  topk = None\n"
            "    split_with_sizes = l_x_.split_with_sizes((1, 3));  l_x_ = None\n"
            "    getitem_2 = split_with_sizes[0]\n"
            "    getitem_3 = split_with_sizes[1];  split_with_sizes = None\n"
            "    return (getitem_1, getitem_2, getitem_3)\n");
}

TEST(PrintPython, ShowsInPlaceOperatorsAndModes) {
  GraphBuilder build;
  const ValueId a = build.input("L['a']", {4}), b = build.input("L['b']", {4});
  build.plainNode("jitscope::set_grad_enabled", {{"enabled", Attribute(false)}});
  build.inPlace("aten::add_", "Tensor",
                {{"self", a}, {"other", b}, {"alpha", Attribute(SizeExpression::constant(1))}});
  build.inPlace("aten::relu_", "", {{"self", b}});
  build.plainNode("jitscope::set_grad_enabled", {{"enabled", Attribute(true)}});
  build.output(a);
  EXPECT_EQ(printPython(build.graph()),
            "def forward(self, L_a_ : Tensor, L_b_ : Tensor):\n"
            "    l_a_ = L_a_\n"
            "    l_b_ = L_b_\n"
            "    _set_grad_enabled = torch._C._set_grad_enabled(False);  _set_grad_enabled = None\n"
            "    add_ = l_a_.add_(l_b_);  add_ = None\n"
            "    relu_ = l_b_.relu_();  l_b_ = relu_ = None\n"
            "    _set_grad_enabled_1 = torch._C._set_grad_enabled(True);  "
            "_set_grad_enabled_1 = None\n"
            "    return (l_a_,)\n");
}

struct Written {
  const char* op;
  const char* overload;
  std::vector<Argument> arguments;
  const char* text;
};

class Spelled : public testing::TestWithParam<Written> {};

/// Arguments that name values 0, 1 and 2 are the inputs a, b and c.
TEST_P(Spelled, AsPeopleWriteIt) {
  GraphBuilder build;
  build.input("L['a']", {4, 4});
  build.input("L['b']", {4, 4});
  build.input("L['c']", {4});
  const ValueId result =
      build.node(GetParam().op, GetParam().overload, GetParam().arguments, {4, 4});
  for (int32_t i = 0; i < 4; ++i) build.output(ValueId{i});
  const std::string text = printPython(build.graph());
  const std::string line =
      "    " + build.graph().value(result).name + " = " + GetParam().text + "\n";
  EXPECT_NE(text.find(line), std::string::npos) << text;
}

constexpr ValueId a{0}, b{1}, c{2};
const Attribute kNone{std::monostate{}};

INSTANTIATE_TEST_SUITE_P(
    Operators, Spelled,
    testing::Values(
        Written{"aten::add",
                "Tensor",
                {{"self", a}, {"other", b}, {"alpha", integer(1)}},
                "l_a_ + l_b_"},
        Written{"aten::add",
                "Tensor",
                {{"self", a}, {"other", b}, {"alpha", integer(2)}},
                "torch.add(l_a_, l_b_, alpha = 2)"},
        Written{"aten::rsub",
                "Scalar",
                {{"self", a}, {"other", integer(2)}, {"alpha", integer(1)}},
                "2 - l_a_"},
        Written{"aten::mul", "Tensor", {{"self", a}, {"other", Attribute(0.5)}}, "l_a_ * 0.5"},
        Written{"aten::mul", "Tensor", {{"self", a}, {"other", Attribute(2.0)}}, "l_a_ * 2.0"},
        Written{"aten::div", "Tensor", {{"self", a}, {"other", b}}, "l_a_ / l_b_"},
        Written{"aten::div",
                "Tensor_mode",
                {{"self", a}, {"other", b}, {"rounding_mode", Attribute(std::string("floor"))}},
                "torch.div(l_a_, l_b_, rounding_mode = 'floor')"},
        Written{"aten::neg", "", {{"self", a}}, "-l_a_"},
        Written{"aten::gt", "Scalar", {{"self", a}, {"other", integer(0)}}, "l_a_ > 0"},
        Written{"aten::rsqrt", "", {{"self", a}}, "torch.rsqrt(l_a_)"},
        Written{
            "aten::pow", "Tensor_Scalar", {{"self", a}, {"exponent", integer(2)}}, "l_a_.pow(2)"},
        Written{
            "aten::mean",
            "dim",
            {{"self", a}, {"dim", integers({-1})}, {"keepdim", Attribute(true)}, {"dtype", kNone}},
            "l_a_.mean(-1, keepdim = True)"},
        Written{"aten::sum", "", {{"self", a}, {"dtype", kNone}}, "l_a_.sum()"},
        Written{"aten::sum",
                "dim_IntList",
                {{"self", a},
                 {"dim", integers({0, 1})},
                 {"keepdim", Attribute(false)},
                 {"dtype", Attribute(static_cast<DataType>(7))}},
                "l_a_.sum((0, 1), dtype = torch.float64)"},
        Written{"aten::linear",
                "",
                {{"input", a}, {"weight", b}, {"bias", ValueId::kNone}},
                "torch.nn.functional.linear(l_a_, l_b_)"},
        Written{"aten::linear",
                "",
                {{"input", a}, {"weight", b}, {"bias", c}},
                "torch.nn.functional.linear(l_a_, l_b_, l_c_)"},
        Written{"aten::layer_norm",
                "",
                {{"input", a},
                 {"normalized_shape", integers({4})},
                 {"weight", c},
                 {"bias", ValueId::kNone},
                 {"eps", Attribute(1e-5)},
                 {"cudnn_enable", Attribute(true)}},
                "torch.nn.functional.layer_norm(l_a_, (4,), l_c_, None, 1e-05)"},
        Written{"aten::view", "", {{"self", a}, {"size", integers({-1, 2})}}, "l_a_.view(-1, 2)"},
        Written{"aten::cat",
                "",
                {{"tensors", std::vector{a, b}}, {"dim", integer(1)}},
                "torch.cat([l_a_, l_b_], dim = 1)"},
        Written{"aten::select",
                "int",
                {{"self", a}, {"dim", integer(0)}, {"index", integer(3)}},
                "l_a_[3]"},
        Written{"aten::select",
                "int",
                {{"self", a}, {"dim", integer(1)}, {"index", integer(3)}},
                "l_a_.select(1, 3)"},
        Written{"aten::slice",
                "Tensor",
                {{"self", a},
                 {"dim", integer(0)},
                 {"start", integer(1)},
                 {"end", integer(3)},
                 {"step", integer(1)}},
                "l_a_[slice(1, 3, None)]"},
        Written{"aten::to",
                "dtype",
                {{"self", a},
                 {"dtype", Attribute(static_cast<DataType>(15))},
                 {"non_blocking", Attribute(false)},
                 {"copy", Attribute(false)},
                 {"memory_format", kNone}},
                "l_a_.to(torch.bfloat16)"},
        Written{"aten::zeros",
                "",
                {{"size", integers({3})},
                 {"dtype", kNone},
                 {"layout", kNone},
                 {"device", Attribute(DeviceName{1, 0})},
                 {"pin_memory", kNone}},
                "torch.zeros((3,), device = device(type='cuda', index=0))"},
        Written{"aten::native_layer_norm",
                "",
                {{"input", a},
                 {"normalized_shape", integers({4})},
                 {"weight", ValueId::kNone},
                 {"bias", ValueId::kNone},
                 {"eps", Attribute(1e-5)}},
                "torch.ops.aten.native_layer_norm.default(l_a_, normalized_shape = (4,), "
                "weight = None, bias = None, eps = 1e-05)"},
        Written{"my::rope",
                "fast",
                {{"x", a}, {"base", Attribute(10000.0)}},
                "torch.ops.my.rope.fast(l_a_, base = 10000.0)"}));

TEST(NameValues, AvoidsPythonsNamesAndCountsRepeats) {
  GraphBuilder build;
  const ValueId x = build.input("L['self'].layers[0].weightA", {4});
  for (int i = 0; i < 2; ++i)
    build.node("aten::sum", "", {{"self", x}}, std::vector<SizeExpression>());
  for (int i = 0; i < 2; ++i) build.node("aten::relu", "", {{"self", x}}, {4});
  nameValues(build.graph());
  std::vector<std::string> names;
  for (const Value& value : build.graph().values) names.push_back(value.name);
  EXPECT_EQ(names, (std::vector<std::string>{"l_self_layers_0_weight_a", "sum_1", "sum_2", "relu",
                                             "relu_1"}));
}

}  // namespace
}  // namespace jitscope::compiler
