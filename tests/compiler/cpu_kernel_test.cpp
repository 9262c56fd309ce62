#include <gtest/gtest.h>

#include <cmath>
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

Attribute integers(const std::vector<int64_t>& values) {
  std::vector<SizeExpression> list;
  for (const int64_t value : values) list.push_back(SizeExpression::constant(value));
  return list;
}
Attribute integer(int64_t value) { return SizeExpression::constant(value); }

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

TEST(CpuKernel, HasNumbersOfEmptyRows) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {3, 0});
  build.output(build.node("aten::sum", "dim_IntList", {{"self", x}, {"dim", integers({1})}}, {3}));
  build.output(build.node("aten::exp", "", {{"self", x}}, {3, 0}));
  Comparison(build.graph(), {}).check(6);
}

}  // namespace
}  // namespace jitscope::compiler
