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

TEST(CutLines, HoldNoMoreThanTheyMay) {
  std::vector<std::string> parts;
  for (int i = 0; i < 1000; ++i)
    parts.push_back("t-" + std::to_string(i) + " | 2025-06-12T10:00:01Z stderr P " +
                    std::string(100, 'x'));
  size_t bytes = 0;
  const Lines lines = joined(parts, 1000);
  for (const auto& [rank, text] : lines) bytes += text.size();
  EXPECT_EQ(lines.size(), parts.size());
  EXPECT_LT(bytes, 100'000U);
  EXPECT_EQ(joined({parts[0], parts[0]}, 150).front().second.size(), 150U);
}

}  // namespace
}  // namespace jitscope::analyzer
