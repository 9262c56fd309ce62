// Capture: what the first call records, where it breaks, and what stands alone afterwards.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "compiler/frontend/break_reason.h"
#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

struct Captured {
  std::vector<Graph> graphs;
  std::vector<CompiledGraph> calls;
};

Program makeProgramOf(size_t inputCount, Captured& captured, bool fullgraph = false) {
  ProgramContext context;
  context.fullgraph = fullgraph;
  context.backend = [&captured](const Graph& graph, std::span<const at::Tensor>) {
    captured.graphs.push_back(graph);
    return interpret(graph);
  };
  std::vector<ProgramInput> names;
  for (size_t i = 0; i < inputCount; ++i) names.push_back({"L['x" + std::to_string(i) + "']"});
  return Program(std::move(context), std::move(names), {});
}

RunReport runOnce(Program& program, const Tensors& inputs, const Function& function,
                  Tensors& results) {
  return program.run(
      inputs, {},
      [&](std::span<const at::Tensor> given, Tensors& made) {
        made = function(Tensors(given.begin(), given.end()));
      },
      results);
}

std::vector<std::string> opNames(const Graph& graph) {
  std::vector<std::string> names;
  for (const auto& node : graph.nodes) names.push_back(node.op);
  return names;
}

TEST(Capture, RecordsOperatorsAsTheUserWroteThem) {
  Captured captured;
  auto program = makeProgramOf(2, captured);
  Tensors results;
  const auto inputs = randomInputs(1, 2);
  runOnce(
      program, inputs, [](const Tensors& x) -> Tensors { return {at::silu(x[0].matmul(x[1]))}; },
      results);
  ASSERT_EQ(captured.graphs.size(), 1u);
  const Graph& graph = captured.graphs[0];
  EXPECT_EQ(opNames(graph), (std::vector<std::string>{"aten::matmul", "aten::silu"}));
  ASSERT_EQ(graph.inputs.size(), 2u);
  EXPECT_EQ(graph.inputs[0].source, "L['x0']");
  EXPECT_EQ(graph.value(graph.inputs[0].value).name, "l_x0_");
  ASSERT_EQ(graph.outputs.size(), 1u);
  EXPECT_EQ(graph.value(graph.outputs[0]).name, "silu");
  EXPECT_TRUE(static_cast<bool>(verify(graph)));
}

TEST(Capture, NamesValuesAsFxDoes) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  runOnce(
      program, randomInputs(1), [](const Tensors& x) -> Tensors { return {(x[0] / 2).sum()}; },
      results);
  ASSERT_EQ(captured.graphs.size(), 1u);
  std::vector<std::string> names;
  for (const Value& value : captured.graphs[0].values) names.push_back(value.name);
  EXPECT_EQ(names, (std::vector<std::string>{"l_x0_", "truediv", "sum_1"}));
}

TEST(Capture, LeavesUnusedInputsOut) {
  Captured captured;
  auto program = makeProgramOf(3, captured);
  Tensors results;
  runOnce(
      program, randomInputs(1, 3), [](const Tensors& x) -> Tensors { return {x[2] * 2}; }, results);
  ASSERT_EQ(captured.graphs.size(), 1u);
  ASSERT_EQ(captured.graphs[0].inputs.size(), 1u);
  EXPECT_EQ(captured.graphs[0].inputs[0].source, "L['x2']");
}

TEST(Capture, BreaksAtReadingAValue) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  const auto report = runOnce(
      program, randomInputs(1),
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        if (h.sum().item<float>() > -1e9) h = h + 1;
        return {h.relu()};
      },
      results);
  EXPECT_EQ(report.breaks, 1);
  ASSERT_EQ(captured.graphs.size(), 2u);
  EXPECT_EQ(opNames(captured.graphs[0]), (std::vector<std::string>{"aten::mul", "aten::sum"}));
  EXPECT_EQ(opNames(captured.graphs[1]), (std::vector<std::string>{"aten::add", "aten::relu"}));
  const auto segments = program.segments();
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_TRUE(segments[0].endsInBreak);
  EXPECT_EQ(segments[0].reason.type,
            "Unsupported Tensor.item() call with capture_scalar_outputs=False");
}

TEST(Capture, ThrowsAtABreakUnderFullgraph) {
  Captured captured;
  auto program = makeProgramOf(1, captured, true);
  Tensors results;
  const Function function = [](const Tensors& x) -> Tensors {
    if (x[0].sum().item<float>() > 0) return {x[0] * 2};
    return {x[0]};
  };
  EXPECT_THROW(runOnce(program, randomInputs(1), function, results), GraphBreakError);
  EXPECT_TRUE(captured.graphs.empty());
  EXPECT_TRUE(program.segments().empty());
}

TEST(Capture, LetsTheUsersExceptionThroughAndRecordsNothing) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  const Function function = [](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    throw std::out_of_range("user");
  };
  EXPECT_THROW(runOnce(program, randomInputs(1), function, results), std::out_of_range);
  EXPECT_TRUE(program.segments().empty());
  EXPECT_EQ(captureState(), CaptureState::kNone);
}

TEST(Capture, StandsAloneWithoutBreaks) {
  Captured captured;
  auto program = makeProgramOf(2, captured);
  Tensors results;
  const Function function = [](const Tensors& x) -> Tensors {
    return {x[0].t(), x[1], x[0] + x[1]};
  };
  runOnce(program, randomInputs(1, 2), function, results);
  ASSERT_TRUE(program.isSelfContained());
  const auto inputs = randomInputs(2, 2);
  RunReport report;
  const auto actual = program.runGraph(inputs, {}, report);
  const auto expected = function(inputs);
  ASSERT_EQ(actual.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(isSameBits(expected[i], actual[i])) << i;
  EXPECT_TRUE(actual[1].is_same(inputs[1]));
  EXPECT_TRUE(actual[0].is_alias_of(inputs[0]));
}

TEST(Capture, DoesNotStandAloneWhenUserCodeKeepsAValue) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results, kept;
  runOnce(
      program, randomInputs(1),
      [&](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        kept = {h};
        return {h + 1};
      },
      results);
  EXPECT_FALSE(program.isSelfContained());
}

TEST(Capture, DoesNotStandAloneWhenItReadsATensorFromOutside) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  const auto weight = at::ones({4, 4});
  runOnce(
      program, randomInputs(1), [&](const Tensors& x) -> Tensors { return {x[0] * weight}; },
      results);
  EXPECT_FALSE(program.isSelfContained());
}

TEST(Capture, SeesAPointerToAResultAsABreak) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  const auto report = runOnce(
      program, randomInputs(1),
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        if (h.data_ptr<float>()[0] > 100) h = h + 1;
        return {h * 3};
      },
      results);
  EXPECT_EQ(report.breaks, 1);
  EXPECT_EQ(captured.graphs.size(), 2u);
}

TEST(Capture, WritesGradModeIntoTheGraph) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  runOnce(
      program, randomInputs(1),
      [](const Tensors& x) -> Tensors {
        at::Tensor mean;
        {
          const c10::NoGradGuard guard;
          mean = x[0].mean();
        }
        return {x[0] - mean};
      },
      results);
  ASSERT_EQ(captured.graphs.size(), 1u);
  EXPECT_EQ(opNames(captured.graphs[0]),
            (std::vector<std::string>{"jitscope::set_grad_enabled", "aten::mean",
                                      "jitscope::set_grad_enabled", "aten::sub"}));
}

TEST(Capture, BreaksWhereAsked) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  const auto report = runOnce(
      program, randomInputs(1),
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        breakGraph(reasonOfExplicitBreak("here"));
        return {h + 1};
      },
      results);
  EXPECT_EQ(report.breaks, 1);
  EXPECT_EQ(captured.graphs.size(), 2u);
}

TEST(Capture, LeavesPlainCodeAlone) {
  Captured captured;
  auto program = makeProgramOf(1, captured);
  Tensors results;
  runOnce(
      program, randomInputs(1),
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 2;
        {
          const PlainScope plain(reasonOfDisabledCallable("helper"));
          h = h.sin().cos();
          EXPECT_EQ(captureState(), CaptureState::kNone);
        }
        return {h + 1};
      },
      results);
  ASSERT_EQ(captured.graphs.size(), 2u);
  EXPECT_EQ(opNames(captured.graphs[0]), (std::vector<std::string>{"aten::mul"}));
  EXPECT_EQ(opNames(captured.graphs[1]), (std::vector<std::string>{"aten::add"}));
}

}  // namespace
}  // namespace jitscope::compiler
