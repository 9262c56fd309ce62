#include "analyzer/import/cut_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace jitscope::analyzer {
namespace {

using Lines = std::vector<std::pair<int64_t, std::string>>;  ///< with their ranks

/// What the lines of a collector are when their parts are joined; whole ones stand as they came.
Lines joined(const std::vector<std::string>& lines, size_t mostBytes = 1 << 20) {
  Lines found;
  const auto keep = [&](std::string_view line, int64_t rank) { found.emplace_back(rank, line); };
  CutLines cut(mostBytes);
  for (const std::string& line : lines) {
    const LineFront front = takeLineFront(line);
    if (!cut.take(front, keep)) keep(front.line, front.rank);
  }
  cut.finish(keep);
  return found;
}

struct CutCase {
  std::string name;
  std::vector<std::string> lines;
  Lines expected;
};

class CutStreams : public testing::TestWithParam<CutCase> {};

TEST_P(CutStreams, AreJoinedEachWithItsOwn) {
  EXPECT_EQ(joined(GetParam().lines), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Collectors, CutStreams,
    testing::Values(
        CutCase{"OneStream",
                {"2025-06-12T10:00:01Z stderr P a", "2025-06-12T10:00:02Z stderr P b",
                 "2025-06-12T10:00:03Z stderr F c", "2025-06-12T10:00:03Z stderr F d"},
                {{-1, "abc"}, {-1, "d"}}},
        CutCase{"OutputAndErrors",
                {"2025-06-12T10:00:01Z stderr P a", "2025-06-12T10:00:01Z stdout P x",
                 "2025-06-12T10:00:01Z stderr F b", "2025-06-12T10:00:01Z stdout F y"},
                {{-1, "ab"}, {-1, "xy"}}},
        CutCase{"WholeLinesBetween",
                {"2025-06-12T10:00:01Z stderr P a", "2025-06-12T10:00:01Z stdout F loss 3", "plain",
                 "2025-06-12T10:00:01Z stderr F b"},
                {{-1, "loss 3"}, {-1, "plain"}, {-1, "ab"}}},
        CutCase{"Containers",
                {"t-1 | 2025-06-12T10:00:01Z stderr P a", "t-2 | 2025-06-12T10:00:01Z stderr P x",
                 "t-1 | 2025-06-12T10:00:01Z stderr F b", "t-2 | 2025-06-12T10:00:01Z stderr F y"},
                {{-1, "ab"}, {-1, "xy"}}},
        CutCase{
            "RanksOutsideOfTheCollector",
            {"[rank0]: 2025-06-12T10:00:01Z stderr P a", "[rank1]: 2025-06-12T10:00:01Z stderr P x",
             "[rank1]: 2025-06-12T10:00:01Z stderr F y",
             "[rank0]: 2025-06-12T10:00:01Z stderr F b"},
            {{1, "xy"}, {0, "ab"}}},
        CutCase{
            "RanksInFrontOfEachPart",
            {"2025-06-12T10:00:01Z stderr P [rank0]: a", "2025-06-12T10:00:01Z stderr P [rank1]: x",
             "2025-06-12T10:00:01Z stderr F [rank0]: b",
             "2025-06-12T10:00:01Z stderr F [rank1]: y"},
            {{0, "[rank0]: ab"}, {1, "[rank1]: xy"}}},
        CutCase{"ARankInFrontOfTheFirstPart",
                {"2025-06-12T10:00:01Z stderr P [rank0]: a", "2025-06-12T10:00:01Z stderr F b"},
                {{0, "[rank0]: ab"}}},
        CutCase{"WhatLooksLikeARankInTheMidst",
                {"2025-06-12T10:00:01Z stderr P line 12", "2025-06-12T10:00:01Z stderr F 3: x"},
                {{-1, "line 123: x"}}},
        CutCase{"AnEndThatNeverCame", {"2025-06-12T10:00:01Z stderr P a"}, {{-1, "a"}}}),
    [](const auto& info) { return info.param.name; });

/// A part of one of many streams.
std::string partOf(size_t stream, size_t bytes) {
  return "t-" + std::to_string(stream) + " | 2025-06-12T10:00:01Z stderr P " +
         std::string(bytes, 'x');
}

TEST(CutLines, HoldNoMoreThanTheyMay) {
  CutLines cut(1000);
  size_t visited = 0;
  const auto count = [&](std::string_view line, int64_t) { visited += line.size(); };
  for (size_t stream = 0; stream < 1000; ++stream) {
    const std::string part = partOf(stream, 100);
    EXPECT_TRUE(cut.take(takeLineFront(part), count));
    EXPECT_LE((stream + 1) * 100U - visited, 1000U);
  }
  cut.finish(count);
  EXPECT_EQ(visited, 100'000U) << "what is ended early is not lost";
  EXPECT_EQ(cut.notJoinedCount(), 990);
}

TEST(CutLines, CountWhatIsTooLongToJoinOnce) {
  CutLines cut(150);
  std::vector<size_t> visited;
  const auto keep = [&](std::string_view line, int64_t) { visited.push_back(line.size()); };
  const std::string part = partOf(0, 100);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(cut.take(takeLineFront(part), keep));
  cut.finish(keep);
  EXPECT_EQ(visited, std::vector<size_t>{150});
  EXPECT_EQ(cut.notJoinedCount(), 1);
}

TEST(CutLines, JoinThoseOfOthersBesideOneThatNeverEnds) {
  const std::string time = "2025-06-12T10:00:01Z ";
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) {
    lines.push_back(time + "stderr P " + std::string(100, '#'));
    lines.push_back(time + "stdout P guard ");
    lines.push_back(time + "stdout F " + std::to_string(i));
  }
  size_t guards = 0;
  for (const auto& [rank, line] : joined(lines, 1000))
    guards += line == "guard " + std::to_string(guards) ? 1 : 0;
  EXPECT_EQ(guards, 100U);
}

TEST(CutLines, BearAVisitThatTakesPartsItself) {
  constexpr size_t kStreams = 300, kNested = 60;
  CutLines cut(1000);
  size_t visited = 0, nested = 0;
  const CutLines::Visit take = [&](std::string_view line, int64_t) {
    visited += line.size();
    if (nested == kNested) return;
    const std::string part = partOf(kStreams + nested++, 20);
    EXPECT_TRUE(cut.take(takeLineFront(part), take));
  };
  for (size_t stream = 0; stream < kStreams; ++stream) {
    const std::string part = partOf(stream, 30);
    EXPECT_TRUE(cut.take(takeLineFront(part), take));
  }
  cut.finish(take);
  EXPECT_EQ(visited, kStreams * 30 + kNested * 20);
}

}  // namespace
}  // namespace jitscope::analyzer
