// Program: nesting, threads, captured inputs and sizes that vary.
#include "compiler/frontend/program.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "compiler/frontend/break_reason.h"
#include "compiler/frontend/segment.h"
#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

/// A function of one input whose first dimension is a symbol.
class SizedFunction {
 public:
  explicit SizedFunction(Function function) : function_(std::move(function)) {}

  std::unique_ptr<Program> makeProgram(bool isDynamic) {
    ProgramContext context;
    context.backend = [this](const Graph& graph, std::span<const at::Tensor>) {
      graphs_.push_back(graph);
      return interpret(graph);
    };
    std::vector<ProgramSymbol> symbols;
    if (isDynamic) symbols.push_back({.source = "L['x'].size()[0]"});
    return std::make_unique<Program>(std::move(context), std::vector<ProgramInput>{{"L['x']"}},
                                     std::move(symbols));
  }

  /// Runs with `rows` rows and compares with eager.
  RunReport run(Program& program, int64_t rows, bool isDynamic = true) {
    const Tensors inputs{at::arange(rows * 4, at::kFloat).view({rows, 4}).sin()};
    const std::vector<int64_t> symbols(isDynamic ? 1 : 0, rows);
    Tensors results;
    const auto report = program.run(
        inputs, symbols,
        [&](std::span<const at::Tensor> given, Tensors& made) {
          made = function_(Tensors(given.begin(), given.end()));
        },
        results);
    const auto expected = function_(inputs);
    EXPECT_EQ(expected.size(), results.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(isSameBits(expected[i], results[i])) << rows << " rows, result " << i;
    }
    return report;
  }

  const std::vector<Graph>& graphs() const { return graphs_; }

 private:
  Function function_;
  std::vector<Graph> graphs_;
};

TEST(ProgramSizes, ConfirmsAGuessAtTheNextSize) {
  SizedFunction function([](const Tensors& x) -> Tensors {
    auto h = x[0].view({-1, 2}).sin();
    return {h.reshape({x[0].size(0), 4}) * 2};
  });
  const auto program = function.makeProgram(true);
  function.run(*program, 3);
  EXPECT_EQ(program->generality(), Generality::kHypothesis);
  EXPECT_GT(function.run(*program, 5).opsCaptured, 0);
  EXPECT_EQ(program->generality(), Generality::kConfirmed);
  EXPECT_EQ(function.graphs().size(), 1u);
  for (const int64_t rows : {7, 11, 4}) {
    const auto report = function.run(*program, rows);
    EXPECT_EQ(report.opsCaptured, 0) << rows;
    EXPECT_EQ(report.segmentsRun, 1) << rows;
  }
}

TEST(ProgramSizes, LearnsFromAStaticSample) {
  SizedFunction function([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (h.sum().item<float>() > 1e9) h = h + 1;
    return {h.view({x[0].size(0) * 2, 2}), at::zeros({x[0].size(0)})};
  });
  const auto sample = function.makeProgram(false);
  function.run(*sample, 3, false);
  const auto program = function.makeProgram(true);
  program->learnFrom(*sample, {3});
  function.run(*program, 5);
  EXPECT_EQ(program->generality(), Generality::kConfirmed);
  for (const int64_t rows : {7, 2}) EXPECT_EQ(function.run(*program, rows).opsCaptured, 0) << rows;
}

TEST(ProgramSizes, SaysWhyASizeCannotBeExplained) {
  SizedFunction function(
      [](const Tensors& x) -> Tensors { return {x[0].size(0) > 4 ? x[0].sin() : x[0].cos()}; });
  const auto program = function.makeProgram(true);
  function.run(*program, 3);
  function.run(*program, 5);
  EXPECT_EQ(program->generality(), Generality::kFailed);
  ASSERT_FALSE(program->specializations().empty());
  EXPECT_EQ(program->specializations()[0].source, "L['x'].size()[0]");
  EXPECT_FALSE(program->specializations()[0].reason.empty());
  function.run(*program, 4);
  function.run(*program, 6);
}

TEST(ProgramSizes, StandsAloneAtAnySizeWhenUserCodeReadsNone) {
  SizedFunction function([](const Tensors& x) -> Tensors { return {x[0].sin() * 2 + x[0]}; });
  const auto program = function.makeProgram(true);
  function.run(*program, 3);
  EXPECT_FALSE(program->isSelfContained());
  function.run(*program, 5);
  ASSERT_TRUE(program->isSelfContained());
  const Tensors inputs{at::ones({9, 4})};
  const std::vector<int64_t> symbols{9};
  RunReport report;
  EXPECT_TRUE(
      isSameBits(program->runGraph(inputs, symbols, report)[0], inputs[0].sin() * 2 + inputs[0]));
}

TEST(ProgramSizes, ReportsASizeThatUserCodeReads) {
  SizedFunction function([](const Tensors& x) -> Tensors {
    if (x[0].size(0) > 100) return {x[0]};
    return {x[0] * 2};
  });
  const auto program = function.makeProgram(true);
  function.run(*program, 3);
  function.run(*program, 5);
  EXPECT_EQ(program->generality(), Generality::kConfirmed);
  EXPECT_FALSE(program->isSelfContained());
  ASSERT_EQ(program->specializations().size(), 1u);
  EXPECT_EQ(program->specializations()[0].source, "L['x'].size()[0]");
  EXPECT_FALSE(program->specializations()[0].stack.isEmpty());
  function.run(*program, 200);
}

TEST(Program, RunsPlainlyInsideOfAnother) {
  CompiledFunction inner([](const Tensors& x) -> Tensors { return {x[0].sin() * 2}; });
  CompiledFunction outer([&](const Tensors& x) -> Tensors { return {inner({x[0] + 1})[0].cos()}; });
  const auto inputs = randomInputs(1);
  for (int call = 0; call < 3; ++call) {
    EXPECT_TRUE(isSameBits(outer(inputs)[0], ((inputs[0] + 1).sin() * 2).cos()));
  }
  EXPECT_EQ(outer.program().segments().size(), 1u);
  EXPECT_EQ(outer.program().segments()[0].graph.nodes.size(), 4u);
  EXPECT_EQ(inner.backendCalls(), 0);
}

TEST(Program, ServesSeveralThreadsAtOnce) {
  ProgramContext context;
  context.backend = [](const Graph& graph, std::span<const at::Tensor>) {
    return interpret(graph);
  };
  Program program(std::move(context), {{"L['x']"}}, {});
  const Function function = [](const Tensors& x) -> Tensors {
    auto h = x[0].abs() + 1;
    for (int i = 0; i < 12 && h.sum().item<float>() > 8; ++i) h = h * 0.7 + 0.01;
    return {h.tanh()};
  };
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int call = 0; call < 40; ++call) {
        const Tensors inputs{at::full({4, 4}, 0.1 * ((call + t * 7) % 23))};
        Tensors results;
        program.run(
            inputs, {},
            [&](std::span<const at::Tensor> given, Tensors& made) {
              made = function(Tensors(given.begin(), given.end()));
            },
            results);
        if (!isSameBits(results[0], function(inputs)[0])) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Program, TakesATensorAsOneMoreInput) {
  ProgramContext context;
  context.backend = [](const Graph& graph, std::span<const at::Tensor>) {
    return interpret(graph);
  };
  Program program(std::move(context), {{"L['x']"}}, {});
  const auto weight = at::ones({4, 4});
  int64_t position = -2;
  Tensors results;
  const auto inputs = randomInputs(1);
  program.run(
      inputs, {},
      [&](std::span<const at::Tensor> given, Tensors& made) {
        position = Program::addInput({"L['self'].weight", true}, weight);
        made = {given[0] * weight};
      },
      results);
  EXPECT_EQ(position, 1);
  EXPECT_EQ(Program::addInput({"L['y']"}, weight), -1);
  ASSERT_TRUE(program.isSelfContained());
  RunReport report;
  const Tensors more{inputs[0], at::full({4, 4}, 3)};
  EXPECT_TRUE(isSameBits(program.runGraph(more, {}, report)[0], more[0] * more[1]));
}

TEST(Program, GivesATensorThatComesSeveralTimesAsOne) {
  ProgramContext context;
  context.backend = [](const Graph& graph, std::span<const at::Tensor>) {
    return interpret(graph);
  };
  // The first is not given to user code by its caller.
  Program program(std::move(context),
                  {{"G['x']", false, false}, {"L['x']"}, {"L['y']"}, {"L['z']"}}, {});
  for (int call = 0; call < 3; ++call) {
    const auto made = randomInputs(call, 2);
    const Tensors inputs{made[0], made[0], made[1], made[0]};
    Tensors results;
    program.run(
        inputs, {},
        [&](std::span<const at::Tensor> given, Tensors& results) {
          EXPECT_TRUE(given[1].is_same(given[3]));
          EXPECT_FALSE(given[1].is_same(given[2]));
          results = {given[1] + given[2] * given[3]};
        },
        results);
    EXPECT_TRUE(isSameBits(results[0], made[0] + made[1] * made[0])) << call;
  }
}

TEST(Program, HoldsNoTensorOfAnEarlierCall) {
  std::vector<WeakTensor> made;
  const auto noted = [&](at::Tensor tensor) {
    made.emplace_back(tensor.getIntrusivePtr());
    return tensor;
  };
  CompiledFunction compiled([&](const Tensors& x) -> Tensors {
    auto h = noted(x[0] * 2);
    noted(h.view({-1})).mul_(3);
    h = noted(h.sum().item<float>() > 0 ? h.sin() : h.cos());
    return {noted(noted(at::dropout(h, 0.5, true)).t()), h};
  });
  for (int call = 0; call < 12; ++call) {
    made.clear();
    compiled(randomInputs(call, 1, call % 2 == 1));
    ASSERT_EQ(made.size(), 5u);
    for (size_t i = 0; i < made.size(); ++i) {
      EXPECT_EQ(made[i].use_count(), 0u) << "call " << call << ", tensor " << i;
    }
  }
}

TEST(Program, TellsTheTimeOfRecordingToARecorder) {
  CompiledFunction compiled([](const Tensors& x) -> Tensors { return {x[0].sin() * 2}; });
  const auto captureNs = [&] {
    compiled(randomInputs(1));
    return compiled.report().captureNs;
  };
  const std::string path = testing::TempDir() + "capture_time.jitscope";
  // The journal opens its recording once per process, and another test may have been there before.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("JITSCOPE_TRACE", path.c_str(), 1);
  EXPECT_EXIT(std::_Exit(captureNs() > 0 && captureNs() == 0 ? 0 : 1), testing::ExitedWithCode(0),
              "");
  unsetenv("JITSCOPE_TRACE");
}

at::Tensor scaled(const at::Tensor& x) { return x * 3; }

TORCH_LIBRARY(jitscope_test, library) {
  library.def("scaled(Tensor x) -> Tensor");
  library.impl("scaled", c10::DispatchKey::CPU, &scaled);
}

TEST(Program, RunsCustomOperators) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("jitscope_test::scaled", "")
                             .typed<at::Tensor(const at::Tensor&)>();
  const auto counts = expectSameAsEager({.make =
                                             [] {
                                               return Function([](const Tensors& x) -> Tensors {
                                                 auto h = op.call(x[0] + 1);
                                                 if (h.sum().item<float>() > 0) h = h + 1;
                                                 return {op.call(h)};
                                               });
                                             },
                                         .inputs = [](int call) { return randomInputs(call); },
                                         .calls = 8});
  EXPECT_EQ(counts[7].captured, 0);
  EXPECT_EQ(counts[7].segmentsRun, 2);  // compiled, not operator by operator
}

TEST(Program, BreaksAtOperatorsDeclaredUntraceable) {
  declareUntraceable("aten::cosh");
  CompiledFunction compiled([](const Tensors& x) -> Tensors { return {(x[0] + 1).cosh() * 2}; });
  compiled(randomInputs(1));
  EXPECT_EQ(compiled.report().breaks, 1);
  EXPECT_EQ(compiled.program().segments().size(), 2u);
}

}  // namespace
}  // namespace jitscope::compiler
