#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/index.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/topk.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <thread>

#include "compiler/backend.h"
#include "tests/compiler/graph_builder.h"

namespace jitscope::compiler {
namespace {

const Attribute kNone{std::monostate{}};

std::vector<at::Tensor> run(const Graph& graph, std::vector<at::Tensor> inputs,
                            std::vector<int64_t> symbols = {}) {
  return interpret(graph)(inputs, symbols);
}

void expectSame(const at::Tensor& actual, const at::Tensor& expected) {
  EXPECT_EQ(actual.scalar_type(), expected.scalar_type());
  EXPECT_EQ(actual.strides(), expected.strides());
  EXPECT_TRUE(at::equal(actual, expected));
}

/// The message of the c10::Error that `body` throws.
template <class Body>
std::string errorOf(Body body) {
  try {
    body();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "";
}

TEST(Interpret, GivesWhatDirectCallsGive) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4, 16}), w = build.input("L['w']", {16, 16});
  const ValueId product = build.node("aten::matmul", "", {{"self", x}, {"other", w}}, {4, 16});
  build.output(build.node("aten::silu", "", {{"self", product}}, {4, 16}));
  build.output(x);
  const at::Tensor a = at::rand({4, 16}), b = at::rand({16, 16});
  const auto outputs = run(build.graph(), {a, b});
  expectSame(outputs[0], at::silu(at::matmul(a, b)));
  EXPECT_TRUE(outputs[1].is_same(a)) << "an input that is a result stays the same tensor";
}

TEST(Interpret, FillsInDefaultsInTheOperatorsOrder) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4}), y = build.input("L['y']", {4});
  build.output(build.node("aten::sub", "Tensor", {{"other", y}, {"self", x}}, {4}));
  const at::Tensor a = at::rand({4}), b = at::rand({4});
  expectSame(run(build.graph(), {a, b})[0], at::sub(a, b));
}

TEST(Interpret, HandsOverListsOfTensorsAlsoWithAbsentOnes) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {3, 4}), i = build.input("L['i']", {2});
  build.output(
      build.node("aten::cat", "", {{"tensors", std::vector{x, x}}, {"dim", integer(1)}}, {3, 8}));
  build.output(build.node("aten::index", "Tensor",
                          {{"self", x}, {"indices", std::vector{ValueId::kNone, i}}}, {3, 2}));
  const at::Tensor a = at::rand({3, 4}), b = at::arange(2);
  const auto outputs = run(build.graph(), {a, b});
  expectSame(outputs[0], at::cat({a, a}, 1));
  expectSame(outputs[1], at::index(a, {std::nullopt, b}));
}

TEST(Interpret, HandsOverAbsentTensorsRealsAndBooleans) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {3, 4}), w = build.input("L['w']", {4});
  build.output(build.node("aten::layer_norm", "",
                          {{"input", x},
                           {"normalized_shape", integers({4})},
                           {"weight", w},
                           {"bias", ValueId::kNone},
                           {"eps", Attribute(1e-3)},
                           {"cudnn_enable", Attribute(false)}},
                          {3, 4}));
  const at::Tensor a = at::rand({3, 4}), b = at::rand({4});
  expectSame(run(build.graph(), {a, b})[0], at::layer_norm(a, {4}, b, {}, 1e-3, false));
}

TEST(Interpret, HandsOverTypesDevicesLayoutsAndFormats) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {2, 3, 4, 4});
  build.output(build.node("aten::to", "dtype",
                          {{"self", x}, {"dtype", Attribute(static_cast<DataType>(7))}},
                          {2, 3, 4, 4}));
  build.output(build.node(
      "aten::contiguous", "",
      {{"self", x}, {"memory_format", Attribute(MemoryFormatName{"torch.channels_last"})}},
      {2, 3, 4, 4}));
  build.output(build.node("aten::zeros", "",
                          {{"size", integers({2})},
                           {"dtype", Attribute(static_cast<DataType>(4))},
                           {"layout", Attribute(LayoutName{"torch.strided"})},
                           {"device", Attribute(DeviceName{0, -1})},
                           {"pin_memory", kNone}},
                          {2}));
  const at::Tensor a = at::rand({2, 3, 4, 4});
  const auto outputs = run(build.graph(), {a});
  expectSame(outputs[0], a.to(at::kDouble));
  expectSame(outputs[1], a.contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_EQ(outputs[2].scalar_type(), at::kLong);
}

TEST(Interpret, EvaluatesSizesAtEachCall) {
  GraphBuilder build;
  const SizeExpression s0 = build.symbol("L['x'].size()[0]", 4);
  const ValueId x = build.input("L['x']", {s0, SizeExpression::constant(2)});
  const SizeExpression flat{2, 1, 0, {SymbolId{0}}}, last{1, 1, -1, {SymbolId{0}}};
  build.output(
      build.node("aten::view", "", {{"self", x}, {"size", Attribute(std::vector{flat})}}, {flat}));
  build.output(build.node("aten::select", "int",
                          {{"self", x}, {"dim", integer(0)}, {"index", Attribute(last)}}, {2}));
  build.output(build.node("aten::mul", "Scalar", {{"self", x}, {"other", Attribute(s0)}},
                          {s0, SizeExpression::constant(2)}));
  const CompiledGraph compiled = interpret(build.graph());
  for (int64_t size : {4, 7}) {
    const std::vector inputs{at::rand({size, 2})};
    const auto outputs = compiled(inputs, std::vector{size});
    expectSame(outputs[0], inputs[0].view({2 * size}));
    expectSame(outputs[1], inputs[0].select(0, size - 1));
    expectSame(outputs[2], at::mul(inputs[0], size));
  }
}

TEST(Interpret, TakesSeveralResultsAndListsApart) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {6});
  const auto top = build.nodeWithResults("aten::topk", "", {{"self", x}, {"k", integer(2)}}, 2);
  const auto parts =
      build.nodeWithList("aten::split", "Tensor", {{"self", x}, {"split_size", integer(4)}}, 2);
  build.output(top[1]);
  build.output(parts[1]);
  const at::Tensor a = at::rand({6});
  const auto outputs = run(build.graph(), {a});
  expectSame(outputs[0], std::get<1>(at::topk(a, 2)));
  expectSame(outputs[1], a.split(4)[1]);
}

TEST(Interpret, ChangesInputsAsTheGraphDoes) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4});
  build.inPlace("aten::add_", "Scalar", {{"self", x}, {"other", integer(1)}});
  const ValueId y = build.node("aten::relu", "", {{"self", x}}, {4});
  build.inPlace("aten::mul_", "Scalar", {{"self", y}, {"other", integer(3)}});
  build.output(x);
  build.output(y);
  const at::Tensor a = at::rand({4}), before = a.clone();
  const auto outputs = run(build.graph(), {a});
  EXPECT_TRUE(outputs[0].is_same(a));
  expectSame(a, at::add(before, 1));
  expectSame(outputs[1], at::mul(at::add(before, 1), 3));
}

TEST(Interpret, UsesATensorTwiceInItsLastOperator) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4});
  const ValueId y = build.node("aten::relu", "", {{"self", x}}, {4});
  build.output(build.node("aten::mul", "Tensor", {{"self", y}, {"other", y}}, {4}));
  const at::Tensor a = at::rand({4});
  expectSame(run(build.graph(), {a})[0], at::mul(a, a));
}

Graph changingModes(bool failsInside) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4});
  build.plainNode("jitscope::set_grad_enabled", {{"enabled", Attribute(false)}});
  const ValueId quiet = build.node("aten::relu", "", {{"self", x}}, {4});
  if (failsInside) build.node("aten::view", "", {{"self", x}, {"size", integers({5})}}, {5});
  build.plainNode("jitscope::set_grad_enabled", {{"enabled", Attribute(true)}});
  const ValueId loud = build.node("aten::relu", "", {{"self", x}}, {4});
  build.plainNode("jitscope::set_inference_mode", {{"enabled", Attribute(true)}});
  const ValueId inference = build.node("aten::relu", "", {{"self", x}}, {4});
  build.plainNode("jitscope::set_autocast", {{"device", Attribute(DeviceName{0, -1})},
                                             {"enabled", Attribute(true)},
                                             {"dtype", Attribute(static_cast<DataType>(15))}});
  const ValueId narrow = build.node("aten::matmul", "", {{"self", x}, {"other", x}}, {4});
  for (ValueId id : {quiet, loud, inference, narrow}) build.output(id);
  return build.graph();
}

TEST(Interpret, FollowsChangesOfModesAndTakesThemBack) {
  const at::Tensor a = at::rand({4}).set_requires_grad(true);
  const auto outputs = run(changingModes(false), {a});
  EXPECT_FALSE(outputs[0].requires_grad());
  EXPECT_TRUE(outputs[1].requires_grad());
  EXPECT_TRUE(outputs[2].is_inference());
  EXPECT_EQ(outputs[3].scalar_type(), at::kBFloat16);
  EXPECT_TRUE(c10::GradMode::is_enabled());
  EXPECT_FALSE(c10::InferenceMode::is_enabled());
  EXPECT_EQ(at::matmul(a, a).scalar_type(), at::kFloat) << "autocast is over";
}

TEST(Interpret, TakesModesBackWhenAnOperatorThrows) {
  const at::Tensor a = at::rand({4}).set_requires_grad(true);
  EXPECT_THROW(run(changingModes(true), {a}), c10::Error);
  EXPECT_TRUE(c10::GradMode::is_enabled());
}

TEST(Interpret, CarriesGradients) {
  GraphBuilder build;
  const ValueId x = build.input("L['x']", {4});
  build.output(build.node("aten::mul", "Tensor", {{"self", x}, {"other", x}}, {4}));
  const at::Tensor a = at::rand({4}).set_requires_grad(true);
  run(build.graph(), {a})[0].sum().backward();
  expectSame(a.grad(), at::mul(a.detach(), 2));
}

TEST(Interpret, NamesWhatItCannotRun) {
  const auto message = [](const char* op, const char* overload, std::vector<Argument> arguments) {
    GraphBuilder build;
    build.input("L['x']", {4});
    build.graph().name = "graph_0_0_0";
    build.node(op, overload, std::move(arguments), {4});
    return errorOf([&] { interpret(build.graph()); });
  };
  const ValueId x{0};
  EXPECT_EQ(message("aten::relux", "", {{"self", x}}),
            "cannot run graph graph_0_0_0: LibTorch has no operator aten::relux");
  EXPECT_EQ(message("aten::relu", "", {}),
            "cannot run graph graph_0_0_0: aten::relu needs an argument self");
  EXPECT_EQ(message("aten::relu", "", {{"self", x}, {"alpha", integer(1)}}),
            "cannot run graph graph_0_0_0: aten::relu has an argument that aten::relu does not "
            "take");
  EXPECT_EQ(message("aten::bernoulli", "",
                    {{"self", x}, {"generator", Attribute(OpaqueConstant{0, "Generator"})}}),
            "cannot run graph graph_0_0_0: aten::bernoulli: argument generator: holds a constant "
            "that only the process that captured it knows: Generator");
  EXPECT_EQ(message("aten::contiguous", "",
                    {{"self", x}, {"memory_format", Attribute(MemoryFormatName{"torch.odd"})}}),
            "cannot run graph graph_0_0_0: aten::contiguous: argument memory_format: no memory "
            "format is named torch.odd");
}

TEST(Interpret, RefusesAWrongNumberOfInputs) {
  GraphBuilder build;
  build.output(build.input("L['x']", {4}));
  const CompiledGraph compiled = interpret(build.graph());
  EXPECT_EQ(errorOf([&] { compiled({}, {}); }), "the graph takes 1 tensors, not 0");
}

TEST(Interpret, RunsOnSeveralThreadsAtOnce) {
  const Graph graph = changingModes(false);
  const CompiledGraph compiled = interpret(graph);
  std::vector<std::thread> threads;
  std::vector<int> bad(4);
  for (size_t t = 0; t < bad.size(); ++t) {
    threads.emplace_back([&, t] {
      const std::vector inputs{at::rand({4})};
      for (int i = 0; i < 200; ++i) {
        const auto outputs = compiled(inputs, {});
        bad[t] += at::equal(outputs[1], at::relu(inputs[0])) ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bad, std::vector<int>(4));
}

/// A random graph of pointwise operators, and the same computed by direct calls.
class RandomPointwise {
 public:
  explicit RandomPointwise(unsigned seed) : random_(seed) {
    for (const char* source : {"L['a']", "L['b']"}) {
      ids_.push_back(build_.input(source, {3, 5}));
      inputs.push_back(at::rand({3, 5}));
    }
    tensors_ = inputs;
    for (int i = 0; i < 30; ++i) addNode();
    for (size_t i = 0; i < ids_.size(); i += 1 + pick(4)) {
      build_.output(ids_[i]);
      expected.push_back(tensors_[i]);
    }
  }

  const Graph& graph() { return build_.graph(); }
  std::vector<at::Tensor> inputs, expected;

 private:
  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }

  void addNode() {
    const size_t a = pick(ids_.size()), b = pick(ids_.size());
    const std::vector<Argument> one{{"self", ids_[a]}};
    const std::vector<Argument> two{{"self", ids_[a]}, {"other", ids_[b]}};
    switch (pick(5)) {
      case 0:
        return add("aten::add", "Tensor", two, at::add(tensors_[a], tensors_[b]));
      case 1:
        return add("aten::mul", "Tensor", two, at::mul(tensors_[a], tensors_[b]));
      case 2:
        return add("aten::tanh", "", one, at::tanh(tensors_[a]));
      case 3:
        return add("aten::sigmoid", "", one, at::sigmoid(tensors_[a]));
      default:
        return add("aten::relu", "", one, at::relu(tensors_[a]));
    }
  }

  void add(const char* op, const char* overload, const std::vector<Argument>& arguments,
           at::Tensor result) {
    ids_.push_back(build_.node(op, overload, arguments, {3, 5}));
    tensors_.push_back(std::move(result));
  }

  std::mt19937 random_;
  GraphBuilder build_;
  std::vector<ValueId> ids_;
  std::vector<at::Tensor> tensors_;
};

TEST(Interpret, EqualsDirectCallsOnRandomGraphsBitForBit) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomPointwise random(seed);
    const auto outputs = run(random.graph(), random.inputs);
    ASSERT_EQ(outputs.size(), random.expected.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSERT_TRUE(at::equal(outputs[i], random.expected[i])) << "seed " << seed << "\n"
                                                             << printPython(random.graph());
    }
  }
}

}  // namespace
}  // namespace jitscope::compiler
