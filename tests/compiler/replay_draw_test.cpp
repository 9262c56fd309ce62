// Replay of functions that draw random numbers.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

TEST(ReplayOfDraws, DrawsRandomNumbersInOrder) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto d = at::dropout(x[0], 0.5, true);
    if (d.sum().item<float>() > 1e9) d = d + 1;
    auto r = torch::rand({4, 4});
    auto z = torch::zeros({4, 4}) + r;
    return {d * z, torch::randn({2})};
  }));
}

TEST(ReplayOfDraws, CompilesSegmentsThatDrawOften) {
  const auto report = settledReport([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (h.sum().item<float>() > 1e9) h = h + 1;
    for (int i = 0; i < 3; ++i) h = at::dropout(h + 1, 0.5, true);
    return {h, torch::rand({2})};
  });
  EXPECT_EQ(report.segmentsNotCompiled, 0) << report.notCompiled;
  EXPECT_EQ(report.segmentsRun, 5) << "one before the break, one for each draw";
  EXPECT_EQ(report.divergences, 0);
}

TEST(ReplayOfDraws, SaysWhatRunsOperatorByOperatorAndWhy) {
  const auto report = settledReport([](const Tensors& x) -> Tensors {
    static auto generator = at::detail::createCPUGenerator();
    generator.set_current_seed(7);
    auto h = x[0] * 2;
    if (h.sum().item<float>() > 1e9) h = h + 1;
    auto drawn = at::empty({4, 4}).normal_(0, 0, generator);
    return {h + drawn};
  });
  EXPECT_EQ(report.segmentsRun, 1);
  EXPECT_EQ(report.segmentsNotCompiled, 1);
  EXPECT_EQ(report.notCompiled.substr(0, 14), "aten::normal_:") << report.notCompiled;
}

TEST(ReplayOfDraws, SeesASeedSetInside) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto d = at::dropout(x[0], 0.5, true);
    if (d.sum().item<float>() > 1e9) d = d + 1;
    auto e = d * 2;
    at::manual_seed(5);
    auto r = torch::rand({4, 4});
    return {e * r};
  }));
}

}  // namespace
}  // namespace jitscope::compiler
