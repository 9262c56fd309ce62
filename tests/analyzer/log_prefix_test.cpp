#include "analyzer/import/log_prefix.h"

#include <gtest/gtest.h>

#include <string>

#include "analyzer/import/line_front.h"

namespace jitscope::analyzer {
namespace {

struct PrefixCase {
  std::string name, line;
  int64_t rank, process;
  std::string site, text;
};

class LogPrefixes : public testing::TestWithParam<PrefixCase> {};

TEST_P(LogPrefixes, AreFoundInEveryGeneration) {
  const std::optional<LogPrefix> prefix =
      findPrefix(GetParam().line, takeLineFront(GetParam().line).rank);
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->rank, GetParam().rank);
  EXPECT_EQ(prefix->process, GetParam().process);
  EXPECT_EQ(prefix->site, GetParam().site);
  EXPECT_EQ(prefix->text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, LogPrefixes,
    testing::Values(
        PrefixCase{"Today", "V0401 12:34:56.789000 4242 torch/_dynamo/guards.py:4204] [0/1] text",
                   -1, 4242, "torch/_dynamo/guards.py:4204", "[0/1] text"},
        PrefixCase{"ThreadBefore25", "V0401 12:34:56.789000 139877824898048 torch/x.py:1] text", -1,
                   139877824898048, "torch/x.py:1", "text"},
        PrefixCase{"Rank", "[rank12]:W0401 12:34:56.789000 7 torch/x.py:1] text", 12, 7,
                   "torch/x.py:1", "text"},
        PrefixCase{"RankOfALauncher", "[rank3]: [rank3]:W0401 12:34:56.789000 7 torch/x.py:1] text",
                   3, 7, "torch/x.py:1", "text"},
        PrefixCase{"RankOfARole", "[default3]:W0401 12:34:56.789000 7 torch/x.py:1] text", 3, 7,
                   "torch/x.py:1", "text"},
        PrefixCase{"RankOfMpirun", "[1,3]<stderr>:W0401 12:34:56.789000 7 torch/x.py:1] text", 3, 7,
                   "torch/x.py:1", "text"},
        PrefixCase{"RankOfSrunBehindATime",
                   "2025-06-12T10:00:01Z  3: W0401 12:34:56.789000 7 torch/x.py:1] text", 3, 7,
                   "torch/x.py:1", "text"},
        PrefixCase{"Windows",
                   R"(W0612 10:00:06.165000 42 C:\env x\torch\_dynamo\convert_frame.py:1016] text)",
                   -1, 42, R"(C:\env x\torch\_dynamo\convert_frame.py:1016)", "text"},
        PrefixCase{"BehindAProgressBar",
                   " 12%|#1        | 1/8 run(W0612 10:00:01.233000 42 torch/x.py:7] text", -1, 42,
                   "torch/x.py:7", "text"},
        PrefixCase{"BehindACollectorsTime",
                   "2025-06-12T10:00:01.2Z stderr F I0612 10:00:01.233000 42 torch/x.py:7] text",
                   -1, 42, "torch/x.py:7", "text"},
        PrefixCase{"Of2023",
                   "[2023-12-11 23:12:03,113] torch._dynamo.convert_frame: [WARNING] text", -1, 0,
                   "torch._dynamo.convert_frame", "text"},
        PrefixCase{"Of2024WithId",
                   "[2024-02-05 15:21:43,445] [0/0] torch._dynamo.guards.__guards: [DEBUG] text",
                   -1, 0, "[0/0] torch._dynamo.guards.__guards", "text"}),
    [](const auto& info) { return info.param.name; });

struct OtherCase {
  std::string name, line;
};

class OtherLines : public testing::TestWithParam<OtherCase> {};

TEST_P(OtherLines, HaveNone) { EXPECT_FALSE(findPrefix(GetParam().line, -1)); }

INSTANTIATE_TEST_SUITE_P(
    Lines, OtherLines,
    testing::Values(OtherCase{"Empty", ""}, OtherCase{"Text", "loading model: 0it [00:00, ?it/s]"},
                    OtherCase{"NoLine", "V0401 12:34:56.789000 4242 torch/x.py] text"},
                    OtherCase{"NoSuchMonth", "V1301 12:34:56.789000 4242 torch/x.py:1] text"},
                    OtherCase{"NoSuchHour", "V0401 24:34:56.789000 4242 torch/x.py:1] text"},
                    OtherCase{"OtherLogger", "[2023-12-11 23:12:03,113] my.code: [INFO] text"},
                    OtherCase{"CutShort", "V0401 12:34:56.7890"}),
    [](const auto& info) { return info.param.name; });

TEST(LogPrefix, OfALineFullOfBeginningsIsGivenUp) {
  // Looking for the end of each would take hours.
  constexpr size_t kBytes = size_t{32} << 20;
  for (const std::string beginning : {"V0401 12:34:56.789000 4242 ", "[2024-02-05 15:21:43,445] ",
                                      "V0401 12:34:56.789000 1 a]"}) {
    std::string line;
    while (line.size() < kBytes) line += beginning;
    EXPECT_FALSE(findPrefix(line, -1));
  }
}

TEST(LogPrefix, TimeIsTold) {
  const std::optional<LogPrefix> prefix = parsePrefix("V0301 00:00:01.250000 1 torch/x.py:1] text");
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->time, (LogTime{0, 3, 1, 1'250'000'000}));
  // 31 and 29 days before it: a year without number is one with every day.
  EXPECT_EQ(unixNs(prefix->time) - unixNs({0, 1, 1, 0}), 60LL * 86'400'000'000'000 + 1'250'000'000);
}

TEST(LogPrefix, ThreadsAreOfNoKnownProcess) {
  EXPECT_EQ(processOf(4242), 4242);
  EXPECT_EQ(processOf(139877824898048), 0);
}

}  // namespace
}  // namespace jitscope::analyzer
