#include "compiler/aot/pieces.h"

#include <gtest/gtest.h>

#include "tests/compiler/graph_builder.h"

namespace jitscope::compiler {
namespace {

/// Builds graphs whose tensors all require gradient.
class Gradients {
 public:
  ValueId input(const char* source) { return withGradient(build_.input(source, {4})); }
  ValueId unary(const char* op, ValueId x) {
    return withGradient(build_.node(op, "", {{"self", x}}, {4}));
  }
  ValueId plain(const char* op, ValueId x) { return build_.node(op, "", {{"self", x}}, {4}); }
  void inPlace(ValueId self, ValueId other) {
    build_.inPlace("aten::mul_", "Tensor", {{"self", self}, {"other", other}});
  }
  void gradMode(bool isEnabled) {
    build_.plainNode("jitscope::set_grad_enabled", {{"enabled", Attribute(isEnabled)}});
  }
  void outputs(const std::vector<ValueId>& ids) {
    for (const ValueId id : ids) build_.output(id);
  }
  /// The operators of each piece.
  std::vector<std::string> pieces() {
    std::vector<std::string> texts;
    for (const GraphPiece& piece : piecesOf(build_.graph())) {
      EXPECT_TRUE(static_cast<bool>(verify(piece.graph)));
      std::string text;
      for (const Node& node : piece.graph.nodes) text += (text.empty() ? "" : " ") + node.op;
      texts.push_back(text);
    }
    return texts;
  }
  Graph& graph() { return build_.graph(); }

 private:
  ValueId withGradient(ValueId id) {
    build_.graph().values[static_cast<size_t>(id)].type.requiresGrad = true;
    return id;
  }
  GraphBuilder build_;
};

using Pieces = std::vector<std::string>;

TEST(Pieces, AreOneForResultsThatDoNotHangOnEachOther) {
  Gradients build;
  const auto x = build.input("x");
  const auto h = build.unary("aten::tanh", x);
  build.outputs({build.unary("aten::sin", h), build.unary("aten::cos", h)});
  EXPECT_EQ(build.pieces(), Pieces{"aten::tanh aten::sin aten::cos"});
}

TEST(Pieces, EndWhereAResultGoesOnIntoAnother) {
  Gradients build;
  const auto x = build.input("x");
  const auto h = build.unary("aten::tanh", x);
  build.outputs({h, build.unary("aten::sin", build.unary("aten::cos", h))});
  EXPECT_EQ(build.pieces(), (Pieces{"aten::tanh", "aten::cos aten::sin"}));
}

TEST(Pieces, AreOneWithoutGradient) {
  Gradients build;
  const auto x = build.graph().values.empty() ? build.input("x") : ValueId::kNone;
  build.graph().values[0].type.requiresGrad = false;
  const auto h = build.plain("aten::tanh", x);
  build.outputs({h, build.plain("aten::sin", h)});
  EXPECT_EQ(build.pieces(), Pieces{"aten::tanh aten::sin"});
}

TEST(Pieces, AreOneForAResultAndItsViews) {
  Gradients build;
  const auto h = build.unary("aten::tanh", build.input("x"));
  build.outputs({h, build.unary("aten::t", h)});
  EXPECT_EQ(build.pieces(), Pieces{"aten::tanh aten::t"});
}

TEST(Pieces, EndAfterTheLastWriteToWhatIsSeen) {
  Gradients build;
  const auto x = build.input("x");
  const auto h = build.unary("aten::tanh", x);
  const auto row = build.unary("aten::select", h);
  build.inPlace(row, x);
  build.outputs({h, build.unary("aten::sin", h)});
  EXPECT_EQ(build.pieces(), (Pieces{"aten::tanh aten::select aten::mul_", "aten::sin"}));
}

TEST(Pieces, EndAfterAnInputIsWritten) {
  Gradients build;
  const auto x = build.input("x"), w = build.input("w");
  build.inPlace(x, w);
  build.outputs({build.unary("aten::sin", x)});
  EXPECT_EQ(build.pieces(), (Pieces{"aten::mul_", "aten::sin"}));
}

TEST(Pieces, AreOneWhereWhatWasReadIsNoLongerThere) {
  Gradients build;
  const auto x = build.input("x");
  const auto h = build.unary("aten::tanh", x);
  const auto y = build.unary("aten::sin", h);
  build.inPlace(h, x);
  build.outputs({h, y});
  EXPECT_EQ(build.pieces(), Pieces{"aten::tanh aten::sin aten::mul_"});
}

TEST(Pieces, BeginInTheModesThatTheirNodesHad) {
  Gradients build;
  const auto h = build.unary("aten::tanh", build.input("x"));
  build.gradMode(false);
  const auto y = build.plain("aten::sin", h);
  build.gradMode(true);
  build.outputs({h, build.unary("aten::cos", y), build.unary("aten::exp", h)});
  EXPECT_EQ(build.pieces(), (Pieces{"aten::tanh",
                                    "jitscope::set_grad_enabled aten::sin "
                                    "jitscope::set_grad_enabled aten::cos aten::exp"}));
}

TEST(Pieces, SayWhatGoesFromOneToTheNext) {
  Gradients build;
  const auto x = build.input("L['x']");
  const auto early = build.unary("aten::exp", x);
  const auto h = build.unary("aten::tanh", x);
  const auto y = build.graph().values.size();
  build.outputs({h, build.unary("aten::sin", h), build.unary("aten::cos", early)});
  const auto pieces = piecesOf(build.graph());
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].inputs, std::vector{x});
  EXPECT_EQ(pieces[0].outputs, (std::vector{early, h}));
  EXPECT_EQ(pieces[1].inputs, (std::vector{h, early}));
  EXPECT_EQ(pieces[1].outputs, (std::vector{static_cast<ValueId>(y), static_cast<ValueId>(y + 1)}));
  EXPECT_EQ(pieces[1].graph.inputs[0].source, "V['tanh']");
}

}  // namespace
}  // namespace jitscope::compiler
