#include <gtest/gtest.h>

#include <random>

#include "compiler/graph.h"
#include "compiler/graph/traverse.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/random_graph.h"

namespace jitscope::compiler {
namespace {

TEST(GraphText, ReadsAsOneLinePerFact) {
  GraphBuilder build;
  build.graph().name = "graph_0_0_0";
  const SizeExpression s0 = build.symbol("L['x'].size()[0]", 4);
  const ValueId x = build.input("L['x']", {s0, SizeExpression::constant(16)});
  build.output(build.node("aten::sum", "dim_IntList",
                          {{"self", x},
                           {"dim", Attribute(std::vector{SizeExpression::constant(-1)})},
                           {"keepdim", Attribute(true)}},
                          {s0, SizeExpression::constant(1)}));
  build.graph().nodes[0].source = {"model.cpp", 7, "step"};
  EXPECT_EQ(printGraph(build.graph()),
            "graph \"graph_0_0_0\"\n"
            "symbol s0 \"L['x'].size()[0]\" hint 4 range 2 9223372036854775807\n"
            "value %0 l_x_ float32 \"cpu\" [s0, 16] [16, 1] 0\n"
            "value %1 sum_1 float32 \"cpu\" [s0, 1] [1, 1] 0\n"
            "input %0 \"L['x']\"\n"
            "node \"aten::sum\" \"dim_IntList\" (self = %0, dim = [-1], keepdim = True) -> (%1) at "
            "\"model.cpp\" 7 \"step\"\n"
            "return (%1)\n");
}

void expectSameArguments(const Node& a, const Node& b) {
  ASSERT_EQ(a.arguments.size(), b.arguments.size());
  for (size_t i = 0; i < a.arguments.size(); ++i) {
    EXPECT_EQ(a.arguments[i].name, b.arguments[i].name);
    const auto* left = std::get_if<Attribute>(&a.arguments[i].value);
    const auto* right = std::get_if<Attribute>(&b.arguments[i].value);
    if (left && right) {
      EXPECT_TRUE(isSameAttribute(*left, *right));
    } else {
      EXPECT_EQ(a.arguments[i].value, b.arguments[i].value);
    }
  }
}

/// Everything equal, names, sources and numbering included.
void expectEqual(const Graph& a, const Graph& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.symbols.size(), b.symbols.size());
  for (size_t i = 0; i < a.symbols.size(); ++i) {
    EXPECT_EQ(a.symbols[i].name, b.symbols[i].name);
    EXPECT_EQ(a.symbols[i].source, b.symbols[i].source);
    EXPECT_EQ(a.symbols[i].hint, b.symbols[i].hint);
    EXPECT_EQ(a.symbols[i].minimum, b.symbols[i].minimum);
    EXPECT_EQ(a.symbols[i].maximum, b.symbols[i].maximum);
  }
  ASSERT_EQ(a.values.size(), b.values.size());
  for (size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_EQ(a.values[i].name, b.values[i].name);
    EXPECT_EQ(a.values[i].type, b.values[i].type);
  }
  ASSERT_EQ(a.inputs.size(), b.inputs.size());
  for (size_t i = 0; i < a.inputs.size(); ++i) {
    EXPECT_EQ(a.inputs[i].value, b.inputs[i].value);
    EXPECT_EQ(a.inputs[i].source, b.inputs[i].source);
  }
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].op, b.nodes[i].op);
    EXPECT_EQ(a.nodes[i].overload, b.nodes[i].overload);
    expectSameArguments(a.nodes[i], b.nodes[i]);
    EXPECT_EQ(a.nodes[i].results, b.nodes[i].results);
    EXPECT_EQ(a.nodes[i].source, b.nodes[i].source);
  }
  EXPECT_EQ(a.outputs, b.outputs);
}

TEST(GraphText, ComesBackWithoutLoss) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = RandomGraph(seed).make();
    ASSERT_TRUE(verify(graph)) << verify(graph).error().text;
    const std::string text = printGraph(graph);
    const auto parsed = parseGraph(text);
    ASSERT_TRUE(parsed) << "seed " << seed << ": " << parsed.error().text << "\n" << text;
    expectEqual(*parsed, graph);
    EXPECT_EQ(printGraph(*parsed), text);
    EXPECT_TRUE(isSameComputation(*parsed, graph));
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << text;
  }
}

/// One random edit: bytes changed, cut out, doubled, or taken from somewhere else.
std::string mutated(std::string text, std::mt19937_64& random) {
  const auto pick = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  for (size_t edits = 1 + pick(3); edits > 0 && !text.empty(); --edits) {
    const size_t at = pick(text.size()), size = 1 + pick(8);
    const std::string piece = text.substr(pick(text.size()), size);
    switch (pick(5)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, piece);
        break;
      case 3:
        text.insert(at, std::to_string(random()));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(GraphText, DamageIsAnErrorOrAnotherGraphButNeverACrash) {
  std::mt19937_64 random(7);
  size_t refused = 0, accepted = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = printGraph(RandomGraph(seed).make());
    for (int i = 0; i < 30; ++i) {
      const std::string damaged = mutated(text, random);
      const auto parsed = parseGraph(damaged);
      if (!parsed) {
        ++refused;
        EXPECT_FALSE(parsed.error().text.empty());
        continue;
      }
      ++accepted;
      // Whatever it is, it is well-formed: it can be printed in each form and comes back.
      printPython(*parsed);
      printReadable(*parsed);
      const auto again = parseGraph(printGraph(*parsed));
      ASSERT_TRUE(again) << again.error().text;
      expectEqual(*again, *parsed);
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(accepted, 100u);
}

TEST(GraphText, RefusesGarbage) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    std::string garbage(random() % 60, ' ');
    for (char& c : garbage) c = static_cast<char>(random());
    EXPECT_FALSE(parseGraph(garbage));
    EXPECT_FALSE(parseGraph("graph \"g\"\n" + garbage));
  }
}

struct Fault {
  const char* text;
  const char* error;
};

class GraphTextError : public testing::TestWithParam<Fault> {};

TEST_P(GraphTextError, NamesLineAndWhatWasExpected) {
  const auto parsed = parseGraph(GetParam().text);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().text, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, GraphTextError,
    testing::Values(
        Fault{"", "line 1: expected 'graph' but found the end"},
        Fault{"graph \"g\"\n", "line 2: expected the line 'return' but found the end"},
        Fault{"graph \"g\"\n\nvalu %0\n",
              "line 3: expected one of symbol, value, input, node, return but found 'valu %0'"},
        Fault{"graph \"g\"\nvalue %1 x float32 \"cpu\" [] [] 0\nreturn ()\n",
              "line 2: expected an integer from 0 to 0 but found '1 x float32 \"cpu\" []'"},
        Fault{"graph \"g\"\nvalue %0 x float31 \"cpu\" [] [] 0\nreturn ()\n",
              "line 2: expected a data type before this but found ' \"cpu\" [] [] 0'"},
        Fault{"graph \"g\"\nvalue %0 x float32 \"gpu\" [] [] 0\nreturn ()\n",
              "line 2: expected a device before this but found ' [] [] 0'"},
        Fault{"graph \"g\"\nnode \"a::b\" \"\" (x = ) -> ()\nreturn ()\n",
              "line 2: expected a symbol like s0, or an integer but found ') -> ()'"},
        Fault{"graph \"g\"\nnode \"a::b\" \"\" () -> () x\nreturn ()\n",
              "line 2: expected the end of the line but found 'x'"},
        Fault{"graph \"g\"\nreturn (%0)\n", "graph g: outputs: value 0 does not exist"},
        Fault{"graph \"g\"\nreturn ()\nreturn ()\n",
              "line 3: expected nothing after the line 'return' but found 'return ()'"},
        Fault{"graph \"g\\q\"\n", "line 1: expected an escape like \\x0a but found 'q\"'"}));

}  // namespace
}  // namespace jitscope::compiler
