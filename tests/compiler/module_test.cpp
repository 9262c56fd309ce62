// Compiled torch::nn modules: parameters are inputs of the graph, the training flag and the
// identity of parameters are guarded.
#include <gtest/gtest.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

#include "compiler/compiler.h"
#include "tests/compiler/counting_backend.h"

namespace jitscope::compiler {
namespace {

struct BlockImpl : torch::nn::Module {
  BlockImpl() {
    linear = register_module("linear", torch::nn::Linear(4, 4));
    norm = register_module("norm", torch::nn::BatchNorm1d(4));
    dropout = register_module("dropout", torch::nn::Dropout(0.5));
  }
  at::Tensor forward(const at::Tensor& x) { return dropout(norm(linear(x)).relu()); }

  torch::nn::Linear linear{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Dropout dropout{nullptr};
};
TORCH_MODULE(Block);

TEST(CompiledModule, GivesWhatTheModuleGives) {
  Block block;
  block->eval();
  const auto compiled = compile(block);
  for (int call = 0; call < 3; ++call) {
    const at::Tensor x = torch::randn({8, 4});
    EXPECT_TRUE(at::equal(compiled(x), block->forward(x)));
  }
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
}

TEST(CompiledModule, SeesTheTrainingFlagOfAnySubmodule) {
  Block block;
  block->eval();
  const auto compiled = compile(block);
  compiled(torch::randn({8, 4}));
  block->dropout->train();
  compiled(torch::randn({8, 4}));
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
  EXPECT_NE(compiled.frame().recompiles().back().failures.front().find(
                "L['self'].dropout.training == False"),
            std::string::npos)
      << compiled.frame().recompiles().back().failures.front();
}

TEST(CompiledModule, UsesParametersAsTheyAreNow) {
  torch::nn::Linear linear(4, 4);
  const auto compiled = compile(linear);
  const at::Tensor x = torch::randn({2, 4});
  compiled(x);
  {
    const torch::NoGradGuard noGrad;
    linear->weight.mul_(3);
  }
  EXPECT_TRUE(at::equal(compiled(x), linear->forward(x)));
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
}

TEST(CompiledModule, UpdatesBuffersAndDrawsTheSameRandomNumbers) {
  Block eager, trained;
  {
    const torch::NoGradGuard noGrad;
    for (size_t i = 0; i < eager->parameters().size(); ++i) {
      trained->parameters()[i].copy_(eager->parameters()[i]);
    }
  }
  const auto compiled = compile(trained);
  for (int step = 0; step < 4; ++step) {
    const at::Tensor x = torch::randn({8, 4});
    torch::manual_seed(step);
    const at::Tensor expected = eager->forward(x);
    torch::manual_seed(step);
    const at::Tensor actual = compiled(x);
    EXPECT_TRUE(at::equal(actual, expected)) << "step " << step;
    expected.sum().backward();
    actual.sum().backward();
  }
  EXPECT_TRUE(at::equal(trained->norm->running_mean, eager->norm->running_mean));
  for (size_t i = 0; i < eager->parameters().size(); ++i) {
    EXPECT_TRUE(
        at::allclose(trained->parameters()[i].grad(), eager->parameters()[i].grad(), 1e-5, 1e-5))
        << i;
  }
}

/// Batches of 1, 10, 11, 15 and 15 through one weight: sizes 1, dynamic for the rest; each for
/// itself when static.
int64_t compilesOfBatches(std::optional<bool> dynamic) {
  torch::nn::Linear linear(3, 2);
  const CompileCounter counter;
  const auto compiled = compile(linear, {.backend = counter.backend(), .dynamic = dynamic});
  for (const int64_t batch : {1, 10, 11, 15, 15}) compiled(torch::randn({batch, 3}));
  return compiled.frame().counts().compiles;
}

TEST(CompiledModule, ParametersStayStaticWhileBatchesBecomeDynamic) {
  EXPECT_EQ(compilesOfBatches(std::nullopt), 2);
  EXPECT_EQ(compilesOfBatches(false), 4);
}

TEST(CompiledModule, ReadsItsBuffersInOneDynamicGraph) {
  torch::nn::BatchNorm1d norm(3);
  norm->eval();
  const auto compiled = compile(norm);
  for (const int64_t batch : {4, 6, 8, 10}) {
    const at::Tensor x = torch::randn({batch, 3});
    EXPECT_TRUE(at::equal(compiled(x), norm->forward(x)));
  }
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
  for (const EntryView& entry : compiled.frame().entries()) {
    ASSERT_EQ(entry.graphs.size(), 1U);
    for (const GraphInput& input : entry.graphs.front().inputs) {
      EXPECT_EQ(input.source.substr(0, 3), "L['") << input.source;
    }
  }
}

TEST(CompiledModule, SeesAReplacedSubmodule) {
  torch::nn::Sequential model(torch::nn::Linear(4, 4), torch::nn::Dropout(0.1));
  model->eval();
  const auto compiled = compile(model);
  const at::Tensor x = torch::randn({2, 4});
  compiled(x);
  model->push_back(torch::nn::Linear(4, 4));
  model->eval();
  EXPECT_TRUE(at::equal(compiled(x), model->forward(x)));
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

}  // namespace
}  // namespace jitscope::compiler
