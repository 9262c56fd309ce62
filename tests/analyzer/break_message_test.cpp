#include "analyzer/import/break_message.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::analyzer {
namespace {

struct MessageCase {
  std::string name, text;
  std::string reason, op, stack;
  bool skipsFrame = false;
};

class BreakMessages : public testing::TestWithParam<MessageCase> {};

TEST_P(BreakMessages, AreReadInEveryGeneration) {
  const std::optional<BreakMessage> message = parseBreakMessage(GetParam().text);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->reason, GetParam().reason);
  EXPECT_EQ(message->op, GetParam().op);
  EXPECT_EQ(message->stack, GetParam().stack);
  EXPECT_EQ(message->skipsFrame, GetParam().skipsFrame);
}

constexpr const char* kStack =
    "\n  File \"/srv/app.py\", line 31, in <module>\n    step(x)\n"
    "  File \"/srv/app.py\", line 9, in step\n    if h.sum().item() > 0:\n";
constexpr const char* kInnermostFirst = "/srv/app.py:9 step\n/srv/app.py:31 <module>";

INSTANTIATE_TEST_SUITE_P(
    Texts, BreakMessages,
    testing::Values(
        MessageCase{"Today",
                    "Graph break in user code at /srv/app.py:9\nGraph Break Reason: Encountered "
                    "graph break when attempting to trace CALL: a function call, e.g. f(x, y):\n\n"
                    "Unsupported Tensor.item() call\n  Explanation: it is\n    not supported.\n"
                    "  Hint: Do this.\n\n"
                    "  Developer debug context: call_method TensorVariable() item () {}\n\n"
                    "User code traceback:" +
                        std::string(kStack),
                    "Unsupported Tensor.item() call", "Tensor.item", kInnermostFirst},
        MessageCase{"Duplicate",
                    "Graph break (user stack suppressed due to duplicate graph break) in user code "
                    "at /srv/app.py:9\nGraph Break Reason: Data-dependent branching\n",
                    "Data-dependent branching", "", "/srv/app.py:9"},
        MessageCase{"Of26",
                    "Graph break in user code at /srv/app.py:9\nReason: Unsupported: 'call_method "
                    "foo'\nUser code traceback:" +
                        std::string(kStack),
                    "call_method foo", "", kInnermostFirst},
        MessageCase{
            "Before26",
            "Graph break: from user code at:" + std::string(kStack) +
                "Traceback (most recent call last):\n  File \"/x/torch/_dynamo/y.py\", line "
                "1, in run\ntorch._dynamo.exc.Unsupported: Tensor.item\n",
            "Tensor.item", "", kInnermostFirst},
        MessageCase{
            "Of2023",
            "Graph break: call_function builtin print from user code at:" + std::string(kStack),
            "call_function builtin print", "", kInnermostFirst},
        MessageCase{
            "Skip",
            "Graph break: torch.compile cannot properly resume from this graph break, which "
            "results in a skip.\ntorch.compile will skip tracing the frame step (/srv/app.py "
            "line 7) and fall back to eager.\nThe graph break occurred in the following "
            "user code:" +
                std::string(kStack),
            "torch.compile cannot properly resume from this graph break, which results in "
            "a skip.",
            "", kInnermostFirst, true},
        MessageCase{"SkipBefore29", "Graph break: skip: from user code at:" + std::string(kStack),
                    "skip:", "", kInnermostFirst, true},
        MessageCase{"Warning",
                    "Graph break from `Tensor.item()`, consider setting:\n    torch._dynamo.config."
                    "capture_scalar_outputs = True\nor:\n    env X=1\nto include these operations "
                    "in the captured graph.\n\nGraph break: from user code at:" +
                        std::string(kStack),
                    "Tensor.item() reads a value", "Tensor.item", kInnermostFirst},
        MessageCase{
            "Extension",
            "/x/functions.py:725: UserWarning: Graph break due to unsupported builtin "
            "ext.PyCapsule.quant. This function is either a Python builtin or a third-party "
            "C/C++ Python extension.",
            "Graph break due to unsupported builtin ext.PyCapsule.quant", "ext.PyCapsule.quant",
            ""}),
    [](const auto& info) { return info.param.name; });

TEST(BreakMessage, KeepsExplanationAndHints) {
  const std::optional<BreakMessage> message = parseBreakMessage(
      "Graph break in user code at a.py:1\nGraph Break Reason: Failed to trace builtin operator\n"
      "  Explanation: Dynamo does not know `print`\n    with these arguments\n  Hint: first\n"
      "  Hint: second\n\n  Developer debug context: builtin print [x] False\n\n"
      " For more details about this graph break, please visit: https://x/gb/gb0059.html\n");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->explanation, "Dynamo does not know `print` with these arguments");
  EXPECT_EQ(message->hint, "first\nsecond\nsee https://x/gb/gb0059.html");
  EXPECT_EQ(message->op, "print");
}

TEST(BreakMessage, IsNotReadFromOtherText) {
  for (const char* text : {"", "hello", "Recompiling function f in a.py:1", "GUARDS:"})
    EXPECT_FALSE(parseBreakMessage(text)) << text;
}

}  // namespace
}  // namespace jitscope::analyzer
