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

TEST(TextLogReader, StepsOverAllElse) {
  EXPECT_TRUE(messagesOf("cuda train foo\nspeedup 1.02\n\n{\"a\": 1}\n").empty());
  EXPECT_FALSE(looksLikeCompileLog("I0401 12:34:56.789000 4242 server/main.cc:12] ready\n"));
  EXPECT_TRUE(looksLikeCompileLog(std::string(kAt) + "x\n"));
}

}  // namespace
}  // namespace jitscope::analyzer
