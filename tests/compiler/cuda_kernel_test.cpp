#include "compiler/codegen/cuda_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "compiler/loops/lowering.h"
#include "compiler/schedule/fusion.h"
#include "compiler/toolchain/gpu_driver.h"
#include "tests/compiler/graph_builder.h"

// Kernels for GPUs, as far as they can be judged without one: their text, and that NVRTC takes it.
namespace jitscope::compiler {
namespace {

/// The graph's kernels, after those that are there.
std::vector<CudaKernel> kernelsOf(const Graph& graph, std::vector<CudaKernel> kernels = {}) {
  LoopProgram program = lowerGraph(graph);
  fuseNests(program, graph);
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if (!std::holds_alternative<LoopNest>(program.steps[i])) continue;
    const LoopNest nest = std::get<LoopNest>(program.steps[i]);
    kernels.push_back(generateCuda(program, nest, kernels.size()));
  }
  return kernels;
}

void expectCompiles(const std::vector<CudaKernel>& kernels) {
  const std::string source = cudaSource(kernels);
  const auto cubin = compileCuda(source, "sm_90");
  if (!cubin && cubin.error().text.starts_with("no NVRTC")) GTEST_SKIP() << cubin.error().text;
  EXPECT_TRUE(cubin) << cubin.error().text << "\n" << source;
}

Graph softmaxOf(int64_t rows, int64_t columns, int64_t dim, int type) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {rows, columns});
  build.output(
      build.node("aten::softmax", "int", {{"self", x}, {"dim", integer(dim)}}, {rows, columns}));
  Graph graph = build.graph();
  for (Value& value : graph.values) value.type.dataType = static_cast<DataType>(type);
  return graph;
}

constexpr int kFloat16 = 5, kFloat32 = 6, kFloat64 = 7, kBFloat16 = 15;

TEST(CudaKernel, KeepsARowInRegistersWhileItFits) {
  const auto kernels = kernelsOf(softmaxOf(4096, 8192, 1, kFloat32));
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "cuda_per_fused_softmax_0");
  // Memory is read in the first of three passes alone.
  const std::string& code = kernels[0].code;
  const size_t first = code.find("load_vector(");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(code.find("load_vector(", first + 1), std::string::npos) << code;
  expectCompiles(kernels);
}

TEST(CudaKernel, ReadsLongRowsAgain) {
  const auto kernels = kernelsOf(softmaxOf(512, 131072, 1, kFloat32));
  EXPECT_EQ(kernels[0].name, "cuda_red_fused_softmax_0");
  expectCompiles(kernels);
}

TEST(CudaKernel, IsValidForEveryTypeAndShape) {
  std::vector<CudaKernel> kernels;  // one program: NVRTC takes long to start
  for (const int type : {kBFloat16, kFloat16, kFloat32, kFloat64}) {
    for (const int64_t columns : {1, 7, 520}) {
      kernels = kernelsOf(softmaxOf(300, columns, 1, type), std::move(kernels));
      kernels = kernelsOf(softmaxOf(300, columns, 0, type), std::move(kernels));
    }
  }
  EXPECT_EQ(kernels.size(), 24u);
  expectCompiles(kernels);
}

TEST(CudaKernel, TakesPointwiseWorkInVectors) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {64, 128}), w = build.input("L['w']", {128});
  const ValueId y = build.node("aten::mul", "Tensor", {{"self", x}, {"other", w}}, {64, 128});
  build.output(build.node("aten::gelu", "", {{"self", y}}, {64, 128}));
  const auto kernels = kernelsOf(build.graph());
  EXPECT_EQ(kernels[0].name, "cuda_poi_fused_gelu_mul_0");
  EXPECT_NE(kernels[0].code.find("store_vector("), std::string::npos);
  expectCompiles(kernels);
}

TEST(CudaKernel, TurnsTilesOfWhatIsTransposedAndCatsInVectors) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {64, 64}), y = build.input("L['y']", {64, 64});
  const ValueId t = build.node("aten::t", "", {{"self", x}}, {64, 64});
  build.output(build.node("aten::add", "Tensor", {{"self", x}, {"other", t}}, {64, 64}));
  build.output(build.node(
      "aten::cat", "", {{"tensors", std::vector<ValueId>{x, y}}, {"dim", integer(1)}}, {64, 128}));
  const auto kernels = kernelsOf(build.graph());
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_NE(kernels[0].code.find("turned"), std::string::npos) << kernels[0].code;
  EXPECT_NE(kernels[1].code.find("load_vector"), std::string::npos) << kernels[1].code;
  expectCompiles(kernels);
}

TEST(CudaKernel, SplitsSumsToFewNumbersInTwoKernels) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {1 << 20});
  build.output(build.node("aten::sum", "", {{"self", x}},
                          GraphBuilder::Sizes(std::vector<SizeExpression>())));
  Graph graph = build.graph();
  for (Value& value : graph.values) value.type.device.kind = 1;
  const auto kernels = kernelsOf(graph);
  EXPECT_EQ(kernels.size(), 2u);
  expectCompiles(kernels);
}

/// The steps "at += N" of a kernel's loops; the widest.
int64_t widestStep(const std::string& code) {
  int64_t widest = 0;
  for (size_t at = code.find("at += "); at != std::string::npos; at = code.find("at += ", at + 1)) {
    widest = std::max<int64_t>(widest, std::stoll(code.substr(at + 6)));
  }
  return widest;
}

TEST(CudaKernel, CountsInSixtyFourBitsWhatASteppingLoopBringsPastThirtyTwo) {
  int narrow = 0, wide = 0;
  for (const int type : {kBFloat16, kFloat16, kFloat32, kFloat64}) {
    for (const int64_t rest : {1ll << 30, 1ll << 17, 1ll << 14, 5000ll, 4104ll, 8ll}) {
      const int64_t columns = (int64_t{1} << 31) - rest;
      const auto kernels = kernelsOf(softmaxOf(1, columns, 1, type));
      ASSERT_EQ(kernels.size(), 1u);
      const int64_t step = widestStep(kernels[0].code);
      ASSERT_GT(step, 0) << kernels[0].code;
      const bool isNarrow = kernels[0].code.find("typedef int idx_t") != std::string::npos;
      EXPECT_TRUE(!isNarrow || columns + step < int64_t{1} << 31) << columns << " by " << step;
      ++(isNarrow ? narrow : wide);
    }
  }
  EXPECT_GE(narrow, 4);
  EXPECT_GE(wide, 4);
}

TEST(CudaKernel, CastsNegativeNumbersToBytesThroughASignedInteger) {
  std::vector<CudaKernel> kernels;
  for (const int type : {kBFloat16, kFloat16, kFloat32, kFloat64}) {
    GraphBuilder build;
    const ValueId x = build.input("L['x']", {64});
    const ValueId y = build.node("aten::to", "dtype", {{"self", x}}, {64});
    build.output(y);
    Graph graph = build.graph();
    graph.values[static_cast<size_t>(x)].type.dataType = static_cast<DataType>(type);
    graph.values[static_cast<size_t>(y)].type.dataType = dataTypeOf(ElementType::kUInt8);
    kernels = kernelsOf(graph, std::move(kernels));
    EXPECT_NE(kernels.back().code.find("(unsigned char)(long long)v"), std::string::npos)
        << kernels.back().code;
  }
  expectCompiles(kernels);
}

TEST(CudaKernel, ServesDynamicSizes) {
  GraphBuilder build;
  const SizeExpression rows = build.symbol("L['x'].size()[0]", 8);
  const SizeExpression columns = build.symbol("L['x'].size()[1]", 64);
  const ValueId x = build.input("L['x']", {rows, columns});
  const ValueId y = build.node("aten::exp", "", {{"self", x}}, {rows, columns});
  build.output(y);
  build.output(build.node(
      "aten::sum", "dim_IntList",
      {{"self", y}, {"dim", Attribute(std::vector{SizeExpression::constant(1)})}}, {rows}));
  expectCompiles(kernelsOf(build.graph()));
}

}  // namespace
}  // namespace jitscope::compiler
