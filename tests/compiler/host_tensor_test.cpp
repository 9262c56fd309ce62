// Tensors that user code makes itself from numbers: constants of the graph as long as the numbers
// are the same, never a stale number when they are not.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

/// A number that changes what user code writes into its tensors.
int now = 0;

DifferentialCase changing(Tensors (*function)(const Tensors&), bool requiresGrad = false) {
  return {.make = [function] { return Function(function); },
          .inputs = [=](int call) { return randomInputs(call, 1, requiresGrad); },
          .calls = 6,
          // The same number twice, then another one in each call.
          .before = [](int call) { now = call < 3 ? 0 : call; }};
}

Tensors fromAVector(const Tensors& x) {
  const auto h = withBreak(x[0] * 2);
  const auto scale = torch::tensor(std::vector<float>{1, 2, 3, float(now)});
  return {(h * scale).sin() + 1, scale + 1};
}

Tensors fromBraces(const Tensors& x) {
  const auto h = withBreak(x[0] * 2);
  return {(h * torch::tensor({1.0, 2.0, 3.0, double(now)})).sin() + 1};
}

Tensors throughAnAccessor(const Tensors& x) {
  auto mask = torch::zeros({4, 4});
  auto cells = mask.accessor<float, 2>();
  for (int i = 0; i < 4; ++i) cells[i][(i + now) % 4] = 1;
  const auto h = withBreak(x[0] * mask);
  auto other = at::empty_like(h);
  for (int i = 0; i < 16; ++i) other.data_ptr<float>()[i] = float(i + now);
  return {h + other, h * other.select(0, 1), mask};
}

Tensors fromABlob(const Tensors& x) {
  float numbers[4] = {1, 2, 3, float(now)};
  const auto h = withBreak(x[0] * 2);
  const auto blob = at::from_blob(numbers, {4});
  const auto first = (h + 1) * blob;
  numbers[1] = 9;
  return {first + blob, h * 3};
}

Tensors writtenBetweenUses(const Tensors& x) {
  const auto h = withBreak(x[0] * 2);
  auto scale = torch::ones({4});
  float* numbers = scale.data_ptr<float>();
  numbers[0] = 2;
  const auto first = h * scale;
  numbers[0] = float(5 + now);
  return {first + scale, h.neg()};
}

Tensors writtenBetweenAViewAndItsUse(const Tensors& x) {
  const auto h = withBreak(x[0] * 2);
  auto scale = torch::ones({4, 4});
  float* numbers = scale.data_ptr<float>();
  const auto row = scale.select(0, 0);
  const auto first = h + 1;
  numbers[0] = float(5 + now);
  return {first * row, h.neg()};
}

Tensors writtenByAnOperatorToo(const Tensors& x) {
  const auto h = withBreak(x[0] * 2);
  auto sum = torch::zeros({4, 4});
  sum.data_ptr<float>()[0] = float(now);
  sum.add_(h);
  sum.mul_(2);
  return {sum.sin(), h + sum};
}

struct Named {
  const char* name;
  Tensors (*function)(const Tensors&);
  bool isWrittenAfterUse = false;
};

class HostTensor : public testing::TestWithParam<Named> {};

TEST_P(HostTensor, HoldsTheNumbersOfEachCall) { expectSameAsEager(changing(GetParam().function)); }
TEST_P(HostTensor, HoldsTheNumbersOfEachCallUnderAutograd) {
  // An eager gradient reads what was written after the operator; ours what the operator read.
  if (GetParam().isWrittenAfterUse) GTEST_SKIP();
  expectSameAsEager(changing(GetParam().function, true));
}

INSTANTIATE_TEST_SUITE_P(
    Ways, HostTensor,
    testing::Values(Named{"vector", fromAVector}, Named{"braces", fromBraces},
                    Named{"accessor", throughAnAccessor}, Named{"blob", fromABlob, true},
                    Named{"between_uses", writtenBetweenUses, true},
                    Named{"between_view_and_use", writtenBetweenAViewAndItsUse},
                    Named{"operator", writtenByAnOperatorToo}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(HostTensors, AreConstantsOfOneGraph) {
  now = 0;
  CompiledFunction compiled([](const Tensors& x) -> Tensors {
    const auto scale = torch::tensor(std::vector<float>{1, 2, 3, 4});
    auto mask = torch::zeros({4, 4});
    for (int i = 0; i < 4; ++i) mask.accessor<float, 2>()[i][i] = 1;
    return {(x[0] * scale).sin() * mask};
  });
  for (int call = 0; call < 3; ++call) {
    compiled(randomInputs(call));
    EXPECT_EQ(compiled.report().breaks, 0);
  }
  EXPECT_EQ(compiled.report().segmentsRun, 1);
  EXPECT_EQ(compiled.report().divergences, 0);
  const auto segments = compiled.program().segments();
  ASSERT_EQ(segments.size(), 1U);
  const Graph& graph = segments.front().graph;
  ASSERT_EQ(graph.inputs.size(), 3U);
  EXPECT_EQ(graph.inputs[1].source, "C['captured_0']");
  EXPECT_EQ(graph.opCount(), 3U) << "mul, sin, mul";
}

TEST(HostTensors, WithOtherNumbersInEachCallAreLearnedOnce) {
  CompiledFunction compiled(fromAVector);
  for (int call = 0; call < 5; ++call) {
    now = call;
    compiled(randomInputs(call));
  }
  EXPECT_EQ(compiled.report().opsCaptured, 0);
  EXPECT_EQ(compiled.report().divergences, 0);
  EXPECT_GE(compiled.report().segmentsRun, 2) << "with a copy of the numbers";
}

}  // namespace
}  // namespace jitscope::compiler
