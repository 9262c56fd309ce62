#include <gtest/gtest.h>

#include "compiler/loops/lowering.h"
#include "compiler/schedule/fusion.h"
#include "tests/compiler/graph_builder.h"

// Elements that the kernels of whole functions read and write: what fusion is for, and the same on
// every machine. The numbers are those that torch.compile's tests ask of it, or fewer.
namespace jitscope::compiler {
namespace {

using Sizes = GraphBuilder::Sizes;

/// Writes the functions under test.
class Trace {
 public:
  ValueId input(const Sizes& sizes) {
    return build_.input("L['x" + std::to_string(inputs_++) + "']", sizes);
  }
  ValueId unary(std::string op, ValueId x) {
    return build_.node("aten::" + std::move(op), "", {{"self", x}}, sizesOf(x));
  }
  ValueId binary(std::string op, ValueId x, ValueId y, const Sizes& sizes) {
    return build_.node("aten::" + std::move(op), "Tensor", {{"self", x}, {"other", y}}, sizes);
  }
  ValueId plus(ValueId x, double number) {
    return build_.node("aten::add", "Scalar", {{"self", x}, {"other", Attribute(number)}},
                       sizesOf(x));
  }
  ValueId reduce(std::string op, ValueId x, std::vector<int64_t> dims, const Sizes& sizes,
                 bool keepsDims = false) {
    return build_.node("aten::" + std::move(op), "dim_IntList",
                       {{"self", x}, {"dim", integers(dims)}, {"keepdim", Attribute(keepsDims)}},
                       sizes);
  }
  ValueId matmul(ValueId x, ValueId y, const Sizes& sizes) {
    return build_.node("aten::mm", "", {{"self", x}, {"mat2", y}}, sizes);
  }
  ValueId cat(std::vector<ValueId> parts, const Sizes& sizes) {
    return build_.node("aten::cat", "", {{"tensors", std::move(parts)}, {"dim", integer(0)}},
                       sizes);
  }
  ValueId node(std::string op, std::vector<Argument> arguments, const Sizes& sizes) {
    return build_.node("aten::" + std::move(op), "", std::move(arguments), sizes);
  }
  /// x.t(), a view.
  ValueId transposed(ValueId x) {
    const Sizes sizes = sizesOf(x);
    const ValueId id =
        build_.node("aten::t", "", {{"self", x}}, Sizes({sizes.list[1], sizes.list[0]}));
    auto& type = build_.graph().values[static_cast<size_t>(id)].type;
    std::swap(type.strides[0], type.strides[1]);
    type.strides[0] = SizeExpression::constant(1);
    type.strides[1] = sizes.list[1];
    return id;
  }
  void output(ValueId id) { build_.output(id); }
  Sizes sizesOf(ValueId id) const {
    return const_cast<GraphBuilder&>(build_).graph().value(id).type.sizes;
  }

  /// What the fused function reads and writes.
  int64_t elements() {
    LoopProgram program = lowerGraph(build_.graph());
    const FusionReport report = fuseNests(program, build_.graph());
    text_ = report.text() + printLoops(program);
    kernels_ = 0;
    for (const LoopStep& step : program.steps) kernels_ += std::holds_alternative<LoopNest>(step);
    return report.after.elements();
  }
  int64_t kernels() const { return kernels_; }
  const std::string& text() const { return text_; }

 private:
  GraphBuilder build_;
  int inputs_ = 0;
  int64_t kernels_ = 0;
  std::string text_;
};

struct Row {
  const char* name;
  void (*function)(Trace& t);
  int64_t elements, kernels;
};

const Row kRows[] = {
    {"cos", [](Trace& t) { t.output(t.unary("cos", t.input({10}))); }, 20, 1},
    {"sum_of_two", [](Trace& t) { t.output(t.binary("add", t.input({10}), t.input({10}), {10})); },
     30, 1},
    {"broadcast",
     [](Trace& t) {
       t.output(t.binary("add", t.input({10, 10}), t.input({10}), {10, 10}));
     },
     210, 1},
    {"twice_itself",
     [](Trace& t) {
       const auto x = t.input({10});
       t.output(t.binary("add", x, x, {10}));
     },
     20, 1},
    {"plus_transposed",
     [](Trace& t) {
       const auto x = t.input({10, 10});
       t.output(t.binary("add", x, t.transposed(x), {10, 10}));
     },
     200, 1},
    {"two_kernels",
     [](Trace& t) {
       const auto a = t.input({10}), b = t.input({10}), c = t.input({10});
       t.output(t.unary("cos", a));
       t.output(t.binary("add", t.unary("sin", b), t.unary("sin", c), {10}));
     },
     50, 2},
    {"sum_rows",
     [](Trace& t) {
       t.output(t.reduce("sum", t.input({10, 10}), {1}, {10}));
     },
     110, 1},
    {"sum_columns",
     [](Trace& t) {
       t.output(t.reduce("sum", t.input({10, 10}), {0}, {10}));
     },
     110, 1},
    {"mm_with_itself",
     [](Trace& t) {
       const auto x = t.input({10, 10});
       t.output(t.matmul(x, x, {10, 10}));
     },
     200, 0},
    {"mm",
     [](Trace& t) {
       t.output(t.matmul(t.input({10, 10}), t.input({10, 10}), {10, 10}));
     },
     300, 0},
    {"cos_mm_cos",
     [](Trace& t) {
       const auto x = t.unary("cos", t.input({10, 10}));
       t.output(t.unary("cos", t.matmul(x, x, {10, 10})));
     },
     600, 2},
    {"cat_of_sines",
     [](Trace& t) {
       const auto a = t.input({10}), b = t.input({10});
       t.output(t.cat({t.unary("sin", a), t.unary("sin", b)}, {20}));
     },
     40, 1},
    {"cat",
     [](Trace& t) {
       t.output(t.cat({t.input({10}), t.input({10})}, {20}));
     },
     40, 1},
    {"cat_of_cos",
     [](Trace& t) {
       const auto a = t.input({10}), b = t.input({10});
       t.output(t.cat({t.unary("cos", a), b}, {20}));
     },
     40, 1},
    {"cat_of_one_input",
     [](Trace& t) {
       const auto a = t.input({10});
       t.output(t.cat({t.unary("cos", a), t.unary("sin", a)}, {20}));
     },
     30, 1},
    {"cat_of_three_plus",
     [](Trace& t) {
       const auto a = t.input({10, 10}), b = t.input({10, 10}), c = t.input({10, 10});
       t.output(t.plus(t.cat({t.plus(a, 1), t.plus(b, 2), t.plus(c, 3)}, {30, 10}), 10));
     },
     600, 1},
    {"cat_of_five_plus",
     [](Trace& t) {
       std::vector<ValueId> parts;
       for (int i = 0; i < 5; ++i) parts.push_back(t.plus(t.input({10, 10}), i));
       t.output(t.plus(t.cat(parts, {50, 10}), 10));
     },
     1000, 1},
    {"reduce_and_pointwise",
     [](Trace& t) {
       const auto a = t.input({10, 10});
       t.output(t.reduce("sum", a, {1}, {10}));
       t.output(t.unary("cos", a));
     },
     210, 1},
    {"sum_and_amax",
     [](Trace& t) {
       const auto a = t.input({10, 10});
       t.output(t.reduce("sum", a, {1}, {10}));
       t.output(t.reduce("amax", a, {1}, {10}));
     },
     120, 1},
    {"sum_plus_cos",
     [](Trace& t) {
       const auto a = t.input({10, 10}), b = t.input({10});
       t.output(t.binary("add", t.reduce("sum", a, {1}, {10}), t.unary("cos", b), {10}));
     },
     120, 1},
    {"column_sum_plus_cos",
     [](Trace& t) {
       const auto a = t.input({10, 10}), b = t.input({10});
       t.output(t.binary("add", t.reduce("sum", a, {0}, {10}), t.unary("cos", b), {10}));
     },
     120, 1},
    {"cos_sum_cos",
     [](Trace& t) {
       const auto a = t.unary("cos", t.input({10, 10}));
       t.output(t.unary("cos", t.reduce("sum", a, {1}, {10})));
     },
     110, 1},
    {"softmax",
     [](Trace& t) {
       t.output(t.node("softmax", {{"self", t.input({10, 10})}, {"dim", integer(1)}}, {10, 10}));
     },
     200, 1},
    {"softmax_of_columns",  // torch.compile reads more
     [](Trace& t) {
       t.output(t.node("softmax", {{"self", t.input({10, 10})}, {"dim", integer(0)}}, {10, 10}));
     },
     200, 1},
    {"layer_norm",
     [](Trace& t) {
       const auto x = t.input({10, 10}), w = t.input({10}), b = t.input({10});
       t.output(
           t.node("layer_norm",
                  {{"input", x}, {"normalized_shape", integers({10})}, {"weight", w}, {"bias", b}},
                  {10, 10}));
     },
     220, 1},
    {"norm_chain",
     [](Trace& t) {
       // Two rounds of x - mean, by hand.
       auto x = t.input({10, 10});
       for (int i = 0; i < 2; ++i) {
         x = t.binary("sub", x, t.reduce("mean", x, {1}, {10, 1}, true), {10, 10});
       }
       t.output(x);
     },
     200, 1},
    {"column_sum_and_cos",  // torch.compile reads it twice
     [](Trace& t) {
       const auto a = t.input({10, 10});
       t.output(t.reduce("sum", a, {0}, {10}));
       t.output(t.unary("cos", a));
     },
     210, 1},
    {"neighbours",
     [](Trace& t) {
       const auto a = t.input({10, 1, 4}), b = t.input({1, 10, 4});
       const auto d = t.binary("sub", a, b, {10, 10, 4});
       const auto s = t.reduce("sum", t.unary("square", d), {2}, {10, 10});
       t.output(t.reduce("amax", s, {1}, {10}));
     },
     290, 2},
    {"factories",
     [](Trace& t) {
       const auto a = t.node("ones", {{"size", integers({10})}}, {10});
       const auto b = t.node("ones", {{"size", integers({10, 10})}}, {10, 10});
       t.output(t.reduce("sum", t.binary("add", a, b, {10, 10}), {1}, {10}));
     },
     10, 1},
    {"fusion_choice",
     [](Trace& t) {
       const auto c = t.unary("cos", t.input({10, 10}));
       const auto d = t.matmul(c, c, {10, 10});
       t.output(t.binary("add", d, t.unary("cos", c), {10, 10}));
     },
     700, 2},
    {"rms_norm_silu",
     [](Trace& t) {
       const auto x = t.input({10, 10}), w = t.input({10});
       const auto mean = t.reduce("mean", t.unary("square", x), {1}, {10, 1}, true);
       const auto scale = t.unary("rsqrt", t.plus(mean, 1e-6));
       const auto h = t.binary("mul", t.binary("mul", x, scale, {10, 10}), w, {10, 10});
       t.output(t.unary("silu", h));
     },
     210, 1},
    {"multi_head_view",
     [](Trace& t) {
       // A row reduction, then the rows cut into heads.
       const auto x = t.input({6, 20});
       const auto y = t.binary("mul", x, t.reduce("sum", x, {1}, {6, 1}, true), {6, 20});
       const auto heads = t.node("view", {{"self", y}, {"size", integers({6, 4, 5})}}, {6, 4, 5});
       t.output(t.binary("mul", heads, t.input({4, 1}), {6, 4, 5}));
     },
     244, 1},
};

class TrafficOracle : public testing::TestWithParam<Row> {};

TEST_P(TrafficOracle, MovesNoMoreThanListed) {
  Trace trace;
  GetParam().function(trace);
  EXPECT_EQ(trace.elements(), GetParam().elements) << trace.text();
  EXPECT_EQ(trace.kernels(), GetParam().kernels) << trace.text();
}

INSTANTIATE_TEST_SUITE_P(Rows, TrafficOracle, testing::ValuesIn(kRows),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace jitscope::compiler
