#include "compiler/aot/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "compiler/graph/traverse.h"
#include "tests/compiler/graph_builder.h"

namespace jitscope::compiler {
namespace {

/// Writes joint graphs down: primals and forward nodes first, then tangents and what needs them.
class JointBuilder {
 public:
  ValueId primal(const GraphBuilder::Sizes& sizes = {10}) {
    ++joint_.primalCount;
    return build_.input("primals_" + std::to_string(joint_.primalCount), sizes);
  }
  ValueId tangent(const GraphBuilder::Sizes& sizes = {10}) {
    if (joint_.tangentCount++ == 0) joint_.forwardNodeCount = build_.graph().nodes.size();
    return build_.input("tangents_" + std::to_string(joint_.tangentCount), sizes);
  }
  ValueId node(const char* op, const std::vector<ValueId>& reads,
               const GraphBuilder::Sizes& sizes = {10}) {
    std::vector<Argument> arguments;
    for (const ValueId id : reads) {
      arguments.push_back({"a" + std::to_string(arguments.size()), id});
    }
    joint_.facts.emplace_back();
    return build_.node(op, "", std::move(arguments), sizes);
  }
  void isRandom() { joint_.facts.back().isRandom = true; }

  JointGraph make(std::vector<ValueId> outputs, std::vector<ValueId> gradients) {
    joint_.graph = build_.graph();
    joint_.forwardOutputs = std::move(outputs);
    joint_.parts = {{std::vector<bool>(joint_.tangentCount, true), std::move(gradients)}};
    return joint_;
  }

 private:
  GraphBuilder build_;
  JointGraph joint_;
};

std::string opsOf(const Graph& graph) {
  std::string text;
  for (const Node& node : graph.nodes) text += (text.empty() ? "" : " ") + node.op.substr(6);
  return text;
}

/// Whether the parts, one after the other, make each value that is wanted of the joint graph.
void expectWhole(const JointGraph& joint, const Partition& parts) {
  EXPECT_TRUE(static_cast<bool>(verify(parts.forward.graph)));
  EXPECT_EQ(parts.forward.wanted.size(), joint.forwardOutputs.size() + parts.saved.size());
  for (const SubGraph& backward : parts.backward) {
    const auto well = verify(backward.graph);
    EXPECT_TRUE(static_cast<bool>(well)) << (well ? "" : well.error().text);
  }
}

TEST(Partition, KeepsNothingWithoutGradient) {
  JointBuilder build;
  const auto x = build.primal();
  build.node("aten::exp", {x});
  auto joint = build.make({build.node("aten::sin", {x})}, {});
  joint.parts.clear();
  joint.forwardNodeCount = joint.graph.nodes.size();
  const Partition parts = partition(joint);
  EXPECT_TRUE(parts.saved.empty() && parts.backward.empty());
  EXPECT_EQ(opsOf(parts.forward.graph), "sin");  // what nobody reads is gone
}

TEST(Partition, ComputesCosinesAgainInsteadOfKeepingThem) {
  JointBuilder build;
  const auto x = build.primal();
  const auto a = build.node("aten::cos", {x}), b = build.node("aten::cos", {a});
  const auto y = build.node("aten::cos", {b});
  const auto g = build.tangent();
  const auto gb = build.node("aten::mul", {g, build.node("aten::sin", {b})});
  const auto ga = build.node("aten::mul", {gb, build.node("aten::sin", {a})});
  const auto gx = build.node("aten::mul", {ga, build.node("aten::sin", {x})});
  const auto joint = build.make({y}, {gx});
  const Partition parts = partition(joint);
  expectWhole(joint, parts);
  EXPECT_EQ(parts.saved, std::vector{x});
  EXPECT_EQ(opsOf(parts.forward.graph), "cos cos cos");
  EXPECT_EQ(opsOf(parts.backward[0].graph), "cos cos sin mul sin mul sin mul");
}

TEST(Partition, KeepsNoInputThatAutogradWouldNotKeep) {
  JointBuilder build;
  const auto x = build.primal();
  const auto y = build.node("aten::exp", {x});
  const auto z = build.node("aten::sin", {build.node("aten::neg", {y})});
  const auto g = build.tangent();
  const auto joint = build.make({z}, {build.node("aten::mul", {g, y})});
  EXPECT_EQ(partition(joint).saved, std::vector{y});
}

TEST(Partition, KeepsWhatLibrariesAndChanceMade) {
  for (const bool isRandom : {false, true}) {
    JointBuilder build;
    const auto x = build.primal();
    const auto h = build.node(isRandom ? "aten::bernoulli" : "aten::mm", {x, x});
    if (isRandom) build.isRandom();
    const auto y = build.node("aten::mul", {h, x});
    const auto g = build.tangent();
    const auto joint = build.make({y}, {build.node("aten::mul", {g, h})});
    EXPECT_EQ(partition(joint).saved, std::vector{h}) << isRandom;
  }
}

TEST(Partition, KeepsASmallSumOfMuch) {
  JointBuilder build;
  const auto x = build.primal({100});
  const auto sum = build.node("aten::sum", {build.node("aten::exp", {x})}, {1});
  const auto y = build.node("aten::div", {x, sum}, {100});
  const auto g = build.tangent({100});
  const auto joint = build.make(
      {y}, {build.node("aten::add", {build.node("aten::mul", {g, sum}, {100}), x}, {100})});
  const auto saved = partition(joint).saved;
  EXPECT_NE(std::find(saved.begin(), saved.end(), sum), saved.end());
}

TEST(Partition, KeepsTheTensorAndNotAViewOfIt) {
  JointBuilder build;
  const auto w = build.primal({4, 6}), x = build.primal({2, 4});
  const auto y = build.node("aten::mm", {x, w}, {2, 6});
  const auto t = build.node("aten::t", {w}, {6, 4});
  const auto g = build.tangent({2, 6});
  const auto gx = build.node("aten::mm", {g, t}, {2, 4});
  const auto joint = build.make({y}, {ValueId::kNone, gx});
  const Partition parts = partition(joint);
  EXPECT_EQ(parts.saved, std::vector{w});
  EXPECT_EQ(opsOf(parts.backward[0].graph), "t mm");
}

TEST(Partition, RunsWhatIsRandomThoughNobodyReadsIt) {
  JointBuilder build;
  const auto x = build.primal();
  build.node("aten::rand_like", {x});
  build.isRandom();
  auto joint = build.make({build.node("aten::sin", {x})}, {});
  joint.parts.clear();
  joint.forwardNodeCount = joint.graph.nodes.size();
  EXPECT_EQ(opsOf(partition(joint).forward.graph), "rand_like sin");
}

TEST(Partition, HandsAGradientThatIsATangentThrough) {
  JointBuilder build;
  const auto x = build.primal();
  const auto y = build.node("aten::alias", {x});
  const auto g = build.tangent();
  const auto joint = build.make({y}, {g});
  const Partition parts = partition(joint);
  EXPECT_TRUE(parts.saved.empty());
  EXPECT_EQ(parts.backward[0].wanted, (std::vector{ValueSource{true, 0}}));
  EXPECT_TRUE(parts.backward[0].graph.nodes.empty());
}

/// What each value is, computed with numbers instead of tensors: operators are hashes.
class Evaluation {
 public:
  explicit Evaluation(const Graph& graph) : graph_(graph) {}

  std::vector<size_t> run(const std::vector<size_t>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) values_[graph_.inputs[i].value] = inputs[i];
    for (const Node& node : graph_.nodes) {
      size_t hash = std::hash<std::string>()(node.op);
      for (const Argument& argument : node.arguments) {
        forEachValue(argument.value, [&](ValueId id) { hash = hash * 31 + values_.at(id); });
      }
      for (const NodeResult& result : node.results) {
        forEachValue(result, [&](ValueId id) { values_[id] = ++hash; });
      }
    }
    std::vector<size_t> outputs;
    for (const ValueId id : graph_.outputs) outputs.push_back(values_.at(id));
    return outputs;
  }
  size_t at(ValueId id) const { return values_.at(id); }

 private:
  const Graph& graph_;
  std::map<ValueId, size_t> values_;
};

JointGraph randomJoint(unsigned seed) {
  static const std::vector<const char*> kOps{"aten::sin", "aten::mul", "aten::mm",  "aten::t",
                                             "aten::sum", "aten::exp", "aten::view"};
  std::mt19937 random(seed);
  JointBuilder build;
  std::vector<ValueId> known{build.primal(), build.primal(), build.primal({40})};
  const auto any = [&] { return known[random() % known.size()]; };
  const auto addNodes = [&](size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const int64_t size = random() % 3 == 0 ? 2 : 10;
      known.push_back(build.node(kOps[random() % kOps.size()], {any(), any()}, {size}));
      if (random() % 9 == 0) build.isRandom();
    }
  };
  addNodes(3 + random() % 10);
  const std::vector outputs{any(), any()};
  const size_t forward = known.size();
  known.push_back(build.tangent());
  known.push_back(build.tangent());
  addNodes(3 + random() % 14);
  const auto late = [&] { return known[forward + random() % (known.size() - forward)]; };
  return build.make(outputs, {late(), any(), late()});
}

TEST(Partition, ComputesTheSameInPartsAsInOne) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const JointGraph joint = randomJoint(seed);
    const Partition parts = partition(joint);
    expectWhole(joint, parts);
    std::vector<size_t> inputs;
    for (size_t i = 0; i < joint.graph.inputs.size(); ++i) inputs.push_back(1000 + i);
    Evaluation whole(joint.graph);
    whole.run(inputs);

    std::vector<size_t> taken;
    for (const size_t position : parts.forward.inputs) taken.push_back(inputs[position]);
    const auto given = Evaluation(parts.forward.graph).run(taken);
    std::vector<size_t> offered;
    for (size_t i = 0; i < parts.forward.wanted.size(); ++i) {
      const auto& source = parts.forward.wanted[i];
      const size_t value = source.isInput ? inputs[source.position] : given[source.position];
      const bool isOutput = i < joint.forwardOutputs.size();
      const ValueId id =
          isOutput ? joint.forwardOutputs[i] : parts.saved[i - joint.forwardOutputs.size()];
      ASSERT_EQ(value, whole.at(id)) << "seed " << seed;
      if (!isOutput) offered.push_back(value);
    }
    offered.insert(offered.end(), inputs.begin() + static_cast<std::ptrdiff_t>(joint.primalCount),
                   inputs.end());
    taken.clear();
    for (const size_t position : parts.backward[0].inputs) taken.push_back(offered[position]);
    const auto gradients = Evaluation(parts.backward[0].graph).run(taken);
    for (size_t i = 0; i < 3; ++i) {
      const auto& source = parts.backward[0].wanted[i];
      ASSERT_EQ(source.isInput ? offered[source.position] : gradients[source.position],
                whole.at(joint.parts[0].gradients[i]))
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace jitscope::compiler
