#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "compiler/loops/lowering.h"
#include "compiler/schedule/fusion.h"
#include "compiler/toolchain/kernel_library.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/loop_evaluator.h"

// Generated kernels against a plain evaluation of the loops that they were made of, before fusing.
namespace jitscope::compiler {
namespace {

using Sizes = GraphBuilder::Sizes;

size_t extentOf(const LoopBuffer& buffer, const std::vector<int64_t>& symbols) {
  int64_t last = 0;
  for (size_t i = 0; i < buffer.sizes.size(); ++i) {
    last += (buffer.sizes[i].evaluate(symbols) - 1) * buffer.strides[i].evaluate(symbols);
  }
  return static_cast<size_t>(std::max<int64_t>(last, 0)) + 1;
}

/// Compares every output of the graph, computed both ways from random inputs.
class Comparison {
 public:
  Comparison(const Graph& graph, std::vector<int64_t> symbols)
      : graph_(graph), symbols_(std::move(symbols)), plain_(lowerGraph(graph)), fused_(plain_) {
    fuseNests(fused_, graph);
    const auto library = compileForProcessor(fused_);
    if (!library) ADD_FAILURE() << library.error().text;
    if (library) library_ = *library;
  }

  void check(uint64_t seed) {
    if (!library_) return;
    fillInputs(seed);
    LoopEvaluator evaluator(plain_, symbols_);
    for (const auto& [id, elements] : inputs_) {
      auto& memory = evaluator.memory(id);
      std::copy(elements.begin(), elements.end(), memory.begin());
    }
    for (const LoopStep& step : plain_.steps) evaluator.run(std::get<LoopNest>(step));
    runKernels();
    for (const ValueId output : graph_.outputs) compare(evaluator, output);
  }

  const std::string& source() const { return library_->source(); }

 private:
  BufferId bufferOf(ValueId value) const {
    for (size_t i = 0; i < plain_.buffers.size(); ++i) {
      if (plain_.buffers[i].value == value) return static_cast<BufferId>(i);
    }
    ADD_FAILURE() << "no buffer for an output";
    return BufferId::kNone;
  }

  void fillInputs(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    for (const GraphInput& input : graph_.inputs) {
      const BufferId id = bufferOf(input.value);
      std::vector<float> elements(extentOf(plain_.buffer(id), symbols_));
      for (float& element : elements) element = normal(random);
      inputs_[id] = std::move(elements);
    }
  }

  void runKernels() {
    memory_ = inputs_;
    size_t kernel = 0;
    for (const LoopStep& step : fused_.steps) {
      ASSERT_TRUE(std::holds_alternative<LoopNest>(step));
      std::vector<void*> pointers;
      for (const BufferId id : library_->kernels()[kernel].buffers) {
        auto& elements = memory_[id];
        if (elements.empty()) elements.assign(extentOf(fused_.buffer(id), symbols_), NAN);
        pointers.push_back(elements.data());
      }
      ASSERT_TRUE(library_->launch(kernel++, pointers, symbols_, {}));
    }
  }

  void compare(LoopEvaluator& evaluator, ValueId output) {
    const BufferId id = bufferOf(output);
    const std::vector<double>& expected = evaluator.memory(id);
    const std::vector<float>& actual = memory_[id];
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      if (std::isnan(expected[i]) && std::isnan(actual[i])) continue;
      ASSERT_NEAR(actual[i], expected[i], 2e-6 * (10 + std::abs(expected[i])))
          << "element " << i << "\n"
          << library_->source();
    }
  }

  const Graph& graph_;
  const std::vector<int64_t> symbols_;
  LoopProgram plain_, fused_;
  std::shared_ptr<const KernelLibrary> library_;
  std::map<BufferId, std::vector<float>> inputs_, memory_;
};

/// x * rsqrt(mean(x^2) + 1e-6) * w, then silu: [rows, columns].
Graph rmsNormSilu(GraphBuilder& build, const SizeExpression& rows, const SizeExpression& columns) {
  const ValueId x = build.input("L['x']", {rows, columns}), w = build.input("L['w']", {columns});
  const SizeExpression one = SizeExpression::constant(1);
  const ValueId square = build.node("aten::pow", "Tensor_Scalar",
                                    {{"self", x}, {"exponent", integer(2)}}, {rows, columns});
  const ValueId mean = build.node(
      "aten::mean", "dim",
      {{"self", square}, {"dim", integers({-1})}, {"keepdim", Attribute(true)}}, {rows, one});
  const ValueId plus =
      build.node("aten::add", "Scalar", {{"self", mean}, {"other", Attribute(1e-6)}}, {rows, one});
  const ValueId scale = build.node("aten::rsqrt", "", {{"self", plus}}, {rows, one});
  const ValueId h =
      build.node("aten::mul", "Tensor", {{"self", x}, {"other", scale}}, {rows, columns});
  const ValueId y = build.node("aten::mul", "Tensor", {{"self", h}, {"other", w}}, {rows, columns});
  build.output(build.node("aten::silu", "", {{"self", y}}, {rows, columns}));
  return build.graph();
}

TEST(CpuKernel, IsOneForRmsNormAndSiluAndNamedAsTorchNamesIt) {
  GraphBuilder build;
  const Graph graph =
      rmsNormSilu(build, SizeExpression::constant(3), SizeExpression::constant(5000));
  LoopProgram program = lowerGraph(graph);
  fuseNests(program, graph);
  const auto library = compileForProcessor(program);
  ASSERT_TRUE(library) << library.error().text;
  ASSERT_EQ((*library)->kernels().size(), 1u);
  EXPECT_EQ((*library)->kernels()[0].name, "cpp_fused_add_mean_mul_pow_rsqrt_silu_0");
  Comparison(graph, {}).check(1);
}

TEST(CpuKernel, ServesEverySizeOfADynamicGraph) {
  GraphBuilder build;
  const SizeExpression rows = build.symbol("L['x'].size()[0]", 4);
  const SizeExpression columns = build.symbol("L['x'].size()[1]", 16);
  const Graph graph = rmsNormSilu(build, rows, columns);
  for (const auto& sizes : {std::vector<int64_t>{4, 16}, {2, 5001}, {33, 7}}) {
    Comparison(graph, sizes).check(2);
  }
}

TEST(CpuKernel, ReducesColumnsWithWhatGoesBeforeAndAfter) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {9, 140});
  const ValueId c = build.node("aten::cos", "", {{"self", x}}, {9, 140});
  const ValueId soft =
      build.node("aten::softmax", "int", {{"self", c}, {"dim", integer(0)}}, {9, 140});
  build.output(soft);
  build.output(
      build.node("aten::sum", "dim_IntList", {{"self", soft}, {"dim", integers({0})}}, {140}));
  Comparison(build.graph(), {}).check(3);
}

TEST(CpuKernel, SplitsAReductionToOneNumber) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {70001});
  build.output(build.node("aten::sum", "", {{"self", x}}, Sizes(std::vector<SizeExpression>())));
  build.output(build.node("aten::amax", "", {{"self", x}, {"dim", integers({})}},
                          Sizes(std::vector<SizeExpression>())));
  build.output(build.node("aten::mean", "", {{"self", x}}, Sizes(std::vector<SizeExpression>())));
  Comparison(build.graph(), {}).check(4);
}

TEST(CpuKernel, ConcatenatesAndReshapes) {
  GraphBuilder build;
  const ValueId a = build.input("L['a']", {4, 6}), b = build.input("L['b']", {4, 2});
  const ValueId cat = build.node(
      "aten::cat", "", {{"tensors", std::vector<ValueId>{a, b}}, {"dim", integer(1)}}, {4, 8});
  const ValueId view =
      build.node("aten::view", "", {{"self", cat}, {"size", integers({2, 16})}}, {2, 16});
  build.output(build.node("aten::tanh", "", {{"self", view}}, {2, 16}));
  build.output(
      build.node("aten::sum", "dim_IntList", {{"self", view}, {"dim", integers({1})}}, {2}));
  Comparison(build.graph(), {}).check(5);
}

/// What one element-wise node makes of `elements`, a tensor of `from`: one of `to`. Both as they
/// are in memory.
template <class To, class From>
std::vector<To> computed(const std::string& op, const std::string& overload,
                         std::vector<Argument> arguments, const std::vector<From>& elements,
                         ElementType from, ElementType to) {
  GraphBuilder build;
  const auto count = static_cast<int64_t>(elements.size());
  const ValueId x = build.input("L['x']", {count});
  arguments.insert(arguments.begin(), {"self", x});
  const ValueId y = build.node(op, overload, std::move(arguments), {count});
  build.output(y);
  Graph graph = build.graph();
  graph.values[static_cast<size_t>(x)].type.dataType = dataTypeOf(from);
  graph.values[static_cast<size_t>(y)].type.dataType = dataTypeOf(to);
  LoopProgram program = lowerGraph(graph);
  fuseNests(program, graph);
  std::vector<To> results(elements.size());
  const auto library = compileForProcessor(program);
  if (!library) {
    ADD_FAILURE() << library.error().text;
    return results;
  }
  std::vector<void*> memory;
  for (const BufferId id : (*library)->kernels().at(0).buffers) {
    const bool isInput = program.buffer(id).value == x;
    memory.push_back(isInput ? const_cast<From*>(elements.data())
                             : static_cast<void*>(results.data()));
  }
  EXPECT_TRUE((*library)->launch(0, memory, {}, {}));
  return results;
}

TEST(CpuKernel, CastsNegativeAndLargeNumbersToIntegersAsTorchDoes) {
  const std::vector<float> x{-1.7f, 300.7f, -300.f, 0.5f, 254.9f};
  const auto cast = [&]<class To>(To, ElementType to) {
    return computed<To>("aten::to", "dtype", {}, x, ElementType::kFloat32, to);
  };
  EXPECT_EQ(cast(uint8_t{}, ElementType::kUInt8), (std::vector<uint8_t>{255, 44, 212, 0, 254}));
  EXPECT_EQ(cast(int8_t{}, ElementType::kInt8), (std::vector<int8_t>{-1, 44, -44, 0, -2}));
  EXPECT_EQ(cast(int16_t{}, ElementType::kInt16), (std::vector<int16_t>{-1, 300, -300, 0, 254}));
  EXPECT_EQ(cast(int64_t{}, ElementType::kInt64), (std::vector<int64_t>{-1, 300, -300, 0, 254}));
}

TEST(CpuKernel, ComparesWithNumbersAsTheTensorsTypeHoldsThem) {
  constexpr ElementType kBool = ElementType::kBool;
  const auto compared = [&]<class From>(const char* op, From x, ElementType type, Attribute other) {
    return computed<uint8_t>(op, "Scalar", {{"other", std::move(other)}}, std::vector<From>{x},
                             type, kBool)[0];
  };
  const uint16_t brain = 0x3F33, half = 0x399A;  // both next to 0.7
  for (const char* op : {"aten::eq", "aten::le", "aten::ge"}) {
    EXPECT_EQ(compared(op, brain, ElementType::kBFloat16, Attribute(0.7)), 1) << op;
    EXPECT_EQ(compared(op, half, ElementType::kFloat16, Attribute(0.7)), 1) << op;
    EXPECT_EQ(compared(op, 0.7f, ElementType::kFloat32, Attribute(0.7)), 1) << op;
    EXPECT_EQ(compared(op, 0.7, ElementType::kFloat64, Attribute(0.7)), 1) << op;
    EXPECT_EQ(compared(op, uint8_t{44}, ElementType::kUInt8, integer(300)), 1) << op;
    EXPECT_EQ(compared(op, int8_t{44}, ElementType::kInt8, integer(300)), 1) << op;
    EXPECT_EQ(compared(op, int32_t{0}, ElementType::kInt32, integer(int64_t{1} << 40)), 1) << op;
    EXPECT_EQ(compared(op, int64_t{1} << 40, ElementType::kInt64, integer(int64_t{1} << 40)), 1);
  }
  EXPECT_EQ(compared("aten::gt", uint8_t{0}, ElementType::kUInt8, integer(-1)), 0);
}

TEST(CpuKernel, ComputesInSixteenBits) {
  const auto twice = [](uint16_t x, ElementType type) {
    return computed<uint16_t>("aten::mul", "Scalar", {{"other", Attribute(2.0)}},
                              std::vector<uint16_t>(64, x), type, type);
  };
  EXPECT_EQ(twice(0x399A, ElementType::kFloat16), std::vector<uint16_t>(64, 0x3D9A));
  EXPECT_EQ(twice(0x3F33, ElementType::kBFloat16), std::vector<uint16_t>(64, 0x3FB3));
}

TEST(Constant, IsWhatATensorOfItsTypeHolds) {
  using Type = ElementType;
  Body body;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto real = [&](double value, Type type) { return body[body.real(value, type)].real; };
  EXPECT_EQ(real(0.1, Type::kFloat64), 0.1);
  EXPECT_EQ(real(0.1, Type::kFloat32), static_cast<double>(0.1f));
  EXPECT_EQ(real(0.7, Type::kBFloat16), 0.69921875);
  EXPECT_EQ(real(0.7, Type::kFloat16), 0.7001953125);
  EXPECT_EQ(real(1e39, Type::kFloat32), infinity);
  EXPECT_EQ(real(65519, Type::kFloat16), 65504);
  EXPECT_EQ(real(-65520, Type::kFloat16), -infinity);
  EXPECT_EQ(real(0x1p-24, Type::kFloat16), 0x1p-24);
  EXPECT_EQ(real(0x1p-26, Type::kFloat16), 0);
  EXPECT_EQ(real(257, Type::kBFloat16), 256);  // ties to even
  EXPECT_EQ(real(259, Type::kBFloat16), 260);
  const auto integer = [&](int64_t value, Type type) {
    return body[body.integer(value, type)].integer;
  };
  EXPECT_EQ(integer(300, Type::kUInt8), 44);
  EXPECT_EQ(integer(-1, Type::kUInt8), 255);
  EXPECT_EQ(integer(200, Type::kInt8), -56);
  EXPECT_EQ(integer(int64_t{1} << 40, Type::kInt32), 0);
  EXPECT_EQ(integer(7, Type::kBool), 1);
  EXPECT_EQ(body[body.integer((int64_t{1} << 24) + 1, Type::kFloat32)].real, 0x1p24);
}

TEST(Constant, IsCastAsItsTensorWouldBe) {
  using Type = ElementType;
  Body body;
  const auto cast = [&](double value, Type from, Type to) {
    return body[body.cast(body.real(value, from), to)];
  };
  EXPECT_EQ(cast(16777217, Type::kFloat32, Type::kInt64).integer, 16777216);
  EXPECT_EQ(cast(0.1, Type::kFloat32, Type::kFloat64).real, static_cast<double>(0.1f));
  EXPECT_EQ(cast(0.7, Type::kBFloat16, Type::kFloat64).real, 0.69921875);
  EXPECT_EQ(cast(300.7, Type::kFloat32, Type::kUInt8).integer, 44);
  EXPECT_EQ(cast(-1.7, Type::kFloat64, Type::kUInt8).integer, 255);
  EXPECT_EQ(cast(0.5, Type::kFloat32, Type::kBool).integer, 1);
  EXPECT_EQ(cast(NAN, Type::kFloat32, Type::kInt64).integer, std::numeric_limits<int64_t>::min());
  // What is rounded to 16 bits stays a constant.
  const Scalar stored = body[body.stored(body.real(0.7, Type::kFloat32), Type::kBFloat16)];
  EXPECT_EQ(stored.op, ScalarOp::kConstant);
  EXPECT_EQ(stored.real, 0.69921875);
}

TEST(CpuKernel, HasResultsOfNoElements) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {0, 10}), w = build.input("L['w']", {10});
  const ValueId y = build.node("aten::mul", "Tensor", {{"self", x}, {"other", w}}, {0, 10});
  const ValueId cat = build.node(
      "aten::cat", "", {{"tensors", std::vector<ValueId>{y, x}}, {"dim", integer(1)}}, {0, 20});
  const ValueId flat =
      build.node("aten::reshape", "", {{"self", cat}, {"shape", integers({0})}}, {0});
  build.output(build.node("aten::exp", "", {{"self", flat}}, {0}));
  build.output(build.node("aten::flip", "", {{"self", y}, {"dims", integers({1})}}, {0, 10}));
  build.output(build.node("aten::softmax", "int", {{"self", y}, {"dim", integer(1)}}, {0, 10}));
  build.output(build.node("aten::sum", "dim_IntList", {{"self", y}, {"dim", integers({0})}}, {10}));
  Comparison(build.graph(), {}).check(7);
}

TEST(CpuKernel, HasNumbersOfEmptyRows) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {3, 0});
  build.output(build.node("aten::sum", "dim_IntList", {{"self", x}, {"dim", integers({1})}}, {3}));
  build.output(build.node("aten::exp", "", {{"self", x}}, {3, 0}));
  Comparison(build.graph(), {}).check(6);
}

}  // namespace
}  // namespace jitscope::compiler
