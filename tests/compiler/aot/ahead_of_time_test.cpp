// What is around the functional graphs: autograd's rules for the compiled backward pass, calls of
// several kinds, failures, threads. And finding the layer that is wrong.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/library.h>

#include <atomic>
#include <chrono>
#include <future>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "compiler/aot.h"
#include "compiler/bisect.h"
#include "compiler/compile.h"
#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

at::Tensor leafMatrix() { return at::randn({4, 4}).requires_grad_(true); }

at::Tensor activation(const at::Tensor& x, const at::Tensor& w) { return at::tanh(x * w).exp(); }

/// Compiled, and past the call that is captured.
auto compiledActivation() {
  auto compiled = compile(&activation, {.backend = "aot_eager"});
  compiled(leafMatrix(), leafMatrix());
  return compiled;
}

TEST(CompiledBackward, HasOneNodeForAllOperators) {
  const auto compiled = compiledActivation();
  const auto y = compiled(leafMatrix(), leafMatrix());
  EXPECT_EQ(y.grad_fn()->name(), "CompiledFunctionBackward");
}

TEST(CompiledBackward, RefusesToBeDifferentiatedTwice) {
  const auto compiled = compiledActivation();
  const auto x = leafMatrix();
  const auto y = compiled(x, leafMatrix());
  try {
    torch::autograd::grad({y.sum()}, {x}, {}, std::nullopt, /*create_graph=*/true);
    FAIL() << "it was differentiated with a graph";
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be differentiated twice"), std::string::npos);
  }
}

TEST(CompiledBackward, RunsAgainWhileItsGraphIsKept) {
  const auto compiled = compiledActivation();
  const auto x = leafMatrix();
  const auto y = compiled(x, leafMatrix()).sum();
  const auto first = torch::autograd::grad({y}, {x}, {}, /*retain_graph=*/true)[0];
  EXPECT_TRUE(isSameBits(first, torch::autograd::grad({y}, {x})[0]));
  EXPECT_THROW(torch::autograd::grad({y}, {x}), c10::Error);
}

TEST(CompiledBackward, NoticesAWriteToWhatItKept) {
  const auto compiled = compiledActivation();
  const auto x = leafMatrix(), w = leafMatrix();
  const auto h = x * 1;
  const auto y = compiled(h, w).sum();
  {
    const at::NoGradGuard noGrad;
    h.add_(1);
  }
  EXPECT_THROW(y.backward(), c10::Error);
}

TEST(CompiledBackward, CallsHooksOnItsResults) {
  const auto compiled = compiledActivation();
  const auto x = leafMatrix(), w = leafMatrix();
  const auto gradientWith = [&](const at::Tensor& y) {
    y.register_hook([](const at::Tensor& gradient) { return gradient * 3; });
    return torch::autograd::grad({y.sum()}, {x})[0];
  };
  EXPECT_TRUE(isSameBits(gradientWith(activation(x, w)), gradientWith(compiled(x, w))));
}

TEST(CompiledBackward, LetsOneResultBeDifferentiatedByAnother) {
  const auto two = [](const at::Tensor& x) {
    const auto h = x.tanh();
    return std::pair(h, h * h);
  };
  const auto compiled = compile(two, {.backend = "aot_eager"});
  compiled(leafMatrix());
  const auto x = leafMatrix();
  const auto [h, y] = compiled(x);
  EXPECT_TRUE(isSameBits(torch::autograd::grad({y.sum()}, {h})[0], 2 * h.detach()));
}

TEST(AheadOfTime, ServesCallsThatShareMemoryOtherwise) {
  const auto write = [](const at::Tensor& a, const at::Tensor& b) {
    a.mul_(2);
    return a + b;
  };
  const auto backend = backendByName("aot_eager");
  Graph graph;
  compile(write, {.backend = BackendChoice([&](const Graph& seen, std::span<const at::Tensor>) {
                    graph = seen;
                    return interpret(seen);
                  })})(at::ones({3}), at::ones({3}));
  const auto call = backend(graph, std::vector{at::ones({3}), at::ones({3})});
  for (const bool isShared : {false, true, false}) {
    const auto a = at::ones({4});
    const auto b = isShared ? a.slice(0, 1, 4) : at::ones({3});
    const auto sum = call(std::vector{a.slice(0, 0, 3), b}, {})[0];
    const auto expected = isShared ? at::tensor({4.0F, 4.0F, 3.0F}) : at::full({3}, 3.0F);
    EXPECT_TRUE(at::equal(sum, expected)) << isShared << sum;
  }
}

TEST(AheadOfTime, SeesWhereSharedMemoryBegins) {
  const auto write = [](const at::Tensor& a, const at::Tensor& b) {
    a.mul_(2);
    return a + b;
  };
  const auto compiled = compile(write, {.backend = "aot_eager"});
  for (const int64_t begin : {1, 1, 2, 3, 1}) {
    const auto memory = at::arange(8, at::kFloat), other = memory.clone();
    const auto expected = write(memory.slice(0, 0, 4), memory.slice(0, begin, begin + 4));
    const auto actual = compiled(other.slice(0, 0, 4), other.slice(0, begin, begin + 4));
    EXPECT_TRUE(at::equal(expected, actual)) << begin;
    EXPECT_TRUE(at::equal(memory, other)) << begin;
  }
}

TEST(AheadOfTime, ServesCallsOfManySizes) {
  const auto compiled = compile(&activation, {.backend = "aot_eager"});
  for (const int64_t size : {3, 5, 4, 7, 3, 9}) {
    const auto x = at::randn({size, 2}).requires_grad_(true), w = at::randn({size, 2});
    const auto expected = torch::autograd::grad({activation(x, w).sum()}, {x})[0];
    const auto actual = torch::autograd::grad({compiled(x, w).sum()}, {x})[0];
    EXPECT_TRUE(isSameBits(expected, actual)) << size;
  }
}

TEST(AheadOfTime, RunsOperatorByOperatorWhenTheBackendFails) {
  const auto failing = aheadOfTime([](const Graph&, std::span<const at::Tensor>) -> CompiledGraph {
    throw std::runtime_error("no compiler");
  });
  const auto compiled = compile(&activation, {.backend = failing});
  const auto x = leafMatrix(), w = leafMatrix();
  compiled(x, w);
  EXPECT_TRUE(isSameBits(activation(x, w), compiled(x, w)));
}

TEST(AheadOfTime, RunsEagerlyWhenAGraphFailsWithNothingHalfDone) {
  const auto failing = aheadOfTime([](const Graph&, std::span<const at::Tensor>) -> CompiledGraph {
    return [](std::span<const at::Tensor>, std::span<const int64_t>) -> std::vector<at::Tensor> {
      at::rand({1});
      throw std::runtime_error("out of memory");
    };
  });
  const auto draw = [](const at::Tensor& x) {
    x.add_(1);
    return x * at::rand({4});
  };
  const auto compiled = compile(draw, {.backend = failing});
  compiled(at::zeros({4}));
  for (int i = 0; i < 2; ++i) {
    at::manual_seed(3);
    const auto expected = draw(at::zeros({4}));
    at::manual_seed(3);
    EXPECT_TRUE(isSameBits(expected, compiled(at::zeros({4})))) << i;
  }
}

/// Doubles its argument without saying so.
at::Tensor secretlyDoubled(const at::Tensor& x) {
  at::Tensor written = x;
  written.mul_(2);
  return x + 1;
}

TEST(AheadOfTime, RefusesAnOperatorThatWritesUndeclared) {
  torch::Library library(torch::Library::FRAGMENT, "jitscope_test", {}, __FILE__, __LINE__);
  library.def("secretly_doubled(Tensor x) -> Tensor");
  library.impl("secretly_doubled", c10::DispatchKey::CPU, &secretlyDoubled);
  int graphs = 0;
  const auto backend = aheadOfTime([&](const Graph& graph, std::span<const at::Tensor>) {
    ++graphs;
    return interpret(graph);
  });
  Graph graph;
  graph.name = "graph";
  graph.values = {{"x", {}}, {"y", {}}};
  graph.inputs = {{ValueId{0}, "x"}};
  graph.nodes = {{"jitscope_test::secretly_doubled", "", {{"x", ValueId{0}}}, {ValueId{1}}, {}}};
  graph.outputs = {ValueId{1}};
  const auto call = backend(graph, {});
  const std::vector inputs{at::ones({2})};
  EXPECT_TRUE(at::equal(call(inputs, {})[0], at::full({2}, 3.0F)));
  EXPECT_TRUE(at::equal(inputs[0], at::full({2}, 2.0F)))
      << "written once, not once more by tracing";
  EXPECT_EQ(graphs, 0);
}

TEST(AheadOfTime, ServesThreadsAtOnce) {
  const auto compiled = compile(&activation, {.backend = "aot_eager"});
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int call = 0; call < 20; ++call) {
        const auto x = at::full({4, 4}, 0.1 * (i + 1)).requires_grad_(true);
        const auto w = at::full({4, 4}, 0.2 * (call + 1));
        const auto expected = torch::autograd::grad({activation(x, w).sum()}, {x})[0];
        wrong += !isSameBits(expected, torch::autograd::grad({compiled(x, w).sum()}, {x})[0]);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(AheadOfTime, CompilesForOneModeWhileAnotherIsCompiled) {
  std::promise<void> hasBegun, otherHasRun;
  std::atomic<bool> hadToWait{false};
  const auto backend = aheadOfTime([&](const Graph& graph, std::span<const at::Tensor> examples) {
    if (examples[0].size(0) == 2) {
      hasBegun.set_value();
      const auto status = otherHasRun.get_future().wait_for(std::chrono::seconds(60));
      hadToWait = status != std::future_status::ready;
    }
    return interpret(graph);
  });
  Graph graph;
  graph.name = "graph";
  graph.values = {{"x", {}}, {"y", {}}};
  graph.inputs = {{ValueId{0}, "x"}};
  graph.nodes = {{"aten::neg", "", {{"self", ValueId{0}}}, {ValueId{1}}, {}}};
  graph.outputs = {ValueId{1}};
  const auto call = backend(graph, {});
  const auto isRight = [&](int64_t size) {
    const std::vector inputs{at::ones({size})};
    return at::equal(call(inputs, {})[0], -inputs[0]);
  };
  bool isFirstRight = false;
  std::thread first([&] { isFirstRight = isRight(2); });
  hasBegun.get_future().wait();
  {
    const at::NoGradGuard otherMode;
    EXPECT_TRUE(isRight(3));
  }
  otherHasRun.set_value();
  first.join();
  EXPECT_TRUE(isFirstRight);
  EXPECT_FALSE(hadToWait);
}

TEST(BackendByName, ListsWhatItKnows) {
  try {
    backendByName("nothing");
    FAIL() << "no such backend";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("there are: eager, aot_eager"), std::string::npos);
  }
}

at::Tensor threeSteps(const at::Tensor& x) { return at::cos(at::exp(at::sin(x))); }

TEST(Bisect, FindsNothingWhereAllLayersAgree) {
  std::ostringstream text;
  text << bisect(&threeSteps)(leafMatrix());
  EXPECT_EQ(text.str(), "All layers agree with plain execution.\n");
}

TEST(Bisect, NamesTheBackendAndTheOperatorThatItGetsWrong) {
  // Takes exp for exp2.
  const Backend wrong = [](const Graph& graph, std::span<const at::Tensor>) {
    Graph changed = graph;
    for (Node& node : changed.nodes) {
      if (node.op == "aten::exp") node.op = "aten::exp2";
    }
    return interpret(changed);
  };
  const Bisection found = bisect(&threeSteps, {.backend = wrong})(leafMatrix());
  EXPECT_EQ(found.layer, "custom");
  EXPECT_EQ(found.op, "aten::exp");
  EXPECT_NE(found.difference.find("result 0: largest difference"), std::string::npos)
      << found.difference;
}

TEST(Bisect, FindsWrongGradients) {
  const Backend wrong = aheadOfTime([](const Graph& graph, std::span<const at::Tensor>) {
    Graph changed = graph;
    for (Node& node : changed.nodes) {
      if (node.op == "aten::neg") node.op = "aten::abs";  // only cos has one, in its backward pass
    }
    return interpret(changed);
  });
  const Bisection found = bisect(&threeSteps, {.backend = wrong})(leafMatrix());
  EXPECT_EQ(found.layer, "custom");
  EXPECT_NE(found.difference.find("gradient 0"), std::string::npos) << found.difference;
  EXPECT_EQ(found.op, "aten::cos");
}

}  // namespace
}  // namespace jitscope::compiler
