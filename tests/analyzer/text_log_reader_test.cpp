#include "analyzer/import/text_log_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/import/text_log_import.h"

namespace jitscope::analyzer {
namespace {

constexpr const char* kAt = "W0612 10:00:00.685000 42 torch/_dynamo/convert_frame.py:1016] ";

std::vector<TextLogMessage> messagesOf(const std::string& log, size_t blockSize = 1 << 20) {
  std::vector<TextLogMessage> messages;
  TextLogReader reader([&](const TextLogMessage& message) { messages.push_back(message); });
  for (size_t at = 0; at < log.size(); at += blockSize)
    reader.feed(std::string_view(log).substr(at, blockSize));
  reader.finish();
  return messages;
}

TEST(TextLogReader, PutsTheLinesOfAMessageTogether) {
  const std::string at(kAt);
  const auto messages = messagesOf(at + "[1/64] first\n" + at + "[1/64]   second\n" + at +
                                   "[2/0] [__guards] other\n");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].text, "first\n  second");
  EXPECT_EQ(messages[0].id, (TorchCompileId{-1, 1, 64}));
  EXPECT_EQ(messages[1].artifact, "guards");
  EXPECT_EQ(messages[1].text, "other");
}

TEST(TextLogReader, TakesALogWhateverTheProgramPrintsBetween) {
  const std::string line = std::string(kAt) + "[1/0] Recompiling function f in a.py:1\n";
  for (const std::string& noise : {std::string(1, '\0'), std::string("\a"), std::string("\x01"),
                                   std::string("\xFF\xFE"), std::string(4096, '\0')}) {
    EXPECT_TRUE(looksLikeTextLog(noise + "\n" + line));
    EXPECT_TRUE(looksLikeTextLog(line + "loss " + noise + " 3\n" + line));
    EXPECT_FALSE(looksLikeTextLog("loss " + noise + " 3\n"));
  }
  std::string archive(512, '\0');
  archive.replace(257, 5, "ustar");
  EXPECT_FALSE(looksLikeTextLog(archive + "\n" + line));
}

TEST(TextLogReader, KeepsInterleavedRanksApart) {
  const std::string at(kAt);
  const auto messages =
      messagesOf("[rank0]:" + at + "[1/0] a0\n[rank1]:" + at + "[1/0] b0\n[rank0]:" + at +
                 "[1/0] a1\nprint of the program\n[rank1]:" + at + "[1/0] b1\n");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].rank, 0);
  EXPECT_EQ(messages[0].text, "a0\na1");
  EXPECT_EQ(messages[1].rank, 1);
  EXPECT_EQ(messages[1].text, "b0\nb1");
}

TEST(TextLogReader, SeparatesMessagesOfOneMoment) {
  const std::string at(kAt);
  const auto messages = messagesOf(at + "Recompiling function f in a.py:1\n" + at + "  - x\n" + at +
                                   "Recompiling function g in a.py:2\n");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[1].text, "Recompiling function g in a.py:2");
}

TEST(TextLogReader, SeesThroughColoursProgressBarsAndCarriageReturns) {
  const std::string at(kAt);
  const auto messages =
      messagesOf("  0%|   | 0/8\r 10%|#  | 1/8\r\x1b[33m" + at + "[0/1] text\x1b[0m\r\n");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].text, "text");
}

TEST(TextLogReader, ReadsWarningsAndExceptionsWithoutPrefix) {
  const auto messages = messagesOf(
      "skipping cudagraphs due to ['mutated inputs']\nabc\n"
      "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: no\n"
      "/x/f.py:1: UserWarning: Graph break due to unsupported builtin a.b. This is\n  warn(msg)\n");
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[0].level, 0);
  EXPECT_EQ(messages[1].text,
            "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: "
            "no");
  EXPECT_NE(messages[2].text.find("a.b"), std::string::npos);
}

TEST(TextLogReader, BlocksOfAnySizeGiveTheSame) {
  const std::string at(kAt);
  const std::string log = at + "[1/64] first\n" + at + "[1/64] second\r\nfoo\n\n" + at + "[1/65] x";
  const auto whole = messagesOf(log);
  for (size_t size = 1; size < log.size(); ++size) {
    const auto pieces = messagesOf(log, size);
    ASSERT_EQ(pieces.size(), whole.size()) << size;
    for (size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(pieces[i].text, whole[i].text) << size;
  }
}

TEST(TextLogReader, ReadsWhatARankWritesWithoutPrefix) {
  const std::string at(kAt);
  const auto messages =
      messagesOf("[rank0]:" + at + "[1/0] a\n[rank1]:" + at + "[1/0] b\n" +
                 "[rank1]: torch._dynamo.exc.BackendCompilerFailed: backend='x' raised:\n"
                 "[rank0]: torch._dynamo.exc.Unsupported: call\n[rank1]: AssertionError: no\n");
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[2].rank, 0);
  EXPECT_EQ(messages[2].text, "torch._dynamo.exc.Unsupported: call");
  EXPECT_EQ(messages[3].rank, 1);
  EXPECT_EQ(messages[3].process, 42);
  EXPECT_TRUE(messages[3].text.ends_with("raised:\nAssertionError: no"));
}

TEST(TextLogReader, KnowsTheRankOfAllThatALineHolds) {
  const auto messages =
      messagesOf("[default3]: 12%|#1  | 1/8\r" + std::string(kAt) + "[0/1] text\n");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].rank, 3);
}

TEST(TextLogReader, TakesNoPrintsForPartsOfAMessage) {
  const auto messages = messagesOf(
      "[2023-12-11 23:12:03,113] torch._dynamo.guards: [DEBUG] Recompiling function f in /x.py:3\n"
      "  loss 0.1\n");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].text, "Recompiling function f in /x.py:3");
}

TEST(TextLogReader, ReadsMessagesWithOnePrefixForAllLines) {
  const auto messages = messagesOf(
      "[2023-03-11 23:12:03,113] torch._dynamo.symbolic_convert: [DEBUG] Graph break: x from user "
      "code at:\n  File \"/x/f.py\", line 3, in f\n    y.item()\n\nepoch 1\n  not of it\n");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_TRUE(messages[0].text.ends_with("line 3, in f\n    y.item()")) << messages[0].text;
}

/// The same log as collectors hand it on, and what must be read from it.
class CollectedLogs : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(CollectedLogs, AreReadAsTheyWereWritten) {
  const std::vector<std::string>& fronts = GetParam();
  std::string log;
  size_t next = 0;
  for (const std::string line :
       {"Recompiling function f in /x/f.py:3",
        "    triggered by the following guard failure(s):", "    - 0/0: L['n'] == 3", "epoch 1"})
    log += fronts[next++ % fronts.size()] + line + "\n";
  const auto messages = messagesOf(log);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].text,
            "Recompiling function f in /x/f.py:3\n    triggered by the following guard "
            "failure(s):\n    - 0/0: L['n'] == 3");
  EXPECT_TRUE(looksLikeTextLog(log));
}

INSTANTIATE_TEST_SUITE_P(
    Fronts, CollectedLogs,
    testing::Values(std::vector<std::string>{""},
                    std::vector<std::string>{"2025-06-12T10:00:01.2Z stderr F ",
                                             "2025-06-12T10:00:01.233Z stderr F "},
                    std::vector<std::string>{"Jun 12 10:00:01 host python3[42]: "},
                    std::vector<std::string>{"trainer-1  | "},
                    std::vector<std::string>{"[rank0]: "}, std::vector<std::string>{"[default0]:"},
                    std::vector<std::string>{"(EngineCore_0 pid=42) "}));

TEST(TextLogReader, PutsLinesTogetherThatACollectorHasCut) {
  const std::string at(kAt);
  const auto messages =
      messagesOf("2025-06-12T10:00:01Z stderr P " + at + "[0/1] one \n" +
                 "2025-06-12T10:00:01Z stderr P two \n2025-06-12T10:00:01Z stderr F three\n" +
                 "2025-06-12T10:00:01Z stderr F " + at + "[0/2] four\n");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].text, "one two three");
  EXPECT_EQ(messages[1].text, "four");
}

TEST(TextLogReader, JoinsCutLinesOfEachStreamWithTheirOwn) {
  const std::string time = "2025-06-12T10:00:01Z ", at(kAt);
  const auto messages =
      messagesOf(time + "stderr P [rank0]:" + at + "[0/1] Recompiling function f \n" + time +
                 "stdout P epoch \n" + time + "stderr P [rank1]:" + at +
                 "[0/2] Recompiling function g \n" + time + "stdout F 1\n" + time +
                 "stderr F [rank0]:in f.py:3\n" + time + "stderr F [rank1]:in g.py:4\n");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].rank, 0);
  EXPECT_EQ(messages[0].text, "Recompiling function f in f.py:3");
  EXPECT_EQ(messages[1].rank, 1);
  EXPECT_EQ(messages[1].text, "Recompiling function g in g.py:4");
}

TEST(TextLogReader, JoinsCutObjectsOfEachStreamWithTheirOwn) {
  const std::string rest(size_t{16} << 10, 'x');  // Docker cuts at this length
  const auto object = [](const std::string& text, const std::string& stream) {
    return R"({"log":")" + text + R"(","stream":")" + stream + "\"}\n";
  };
  const auto messages =
      messagesOf(object(std::string(kAt) + "[0/1] " + rest, "stderr") + object(rest, "stdout") +
                 object("loss\\n", "stdout") + object(" end\\n", "stderr"));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].text, rest + " end");
}

TEST(TextLogReader, ReadsTheLinesInObjectsOfACollector) {
  const auto messages = messagesOf(
      R"({"log":"W0612 10:00:00.685000 42 torch/x.py:7] [0/1] say \"a\"\n","stream":"stderr"})"
      "\n");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].text, "say \"a\"");
}

TEST(TextLogReader, StepsOverAllElse) {
  EXPECT_TRUE(messagesOf("cuda train foo\nspeedup 1.02\n\n{\"a\": 1}\n").empty());
  EXPECT_FALSE(looksLikeCompileLog("I0401 12:34:56.789000 4242 server/main.cc:12] ready\n"));
  EXPECT_TRUE(looksLikeCompileLog(std::string(kAt) + "x\n"));
}

}  // namespace
}  // namespace jitscope::analyzer
