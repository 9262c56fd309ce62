// Launches of one run found in another.
#include "collector/record/launch_match.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace jitscope::collector {
namespace {

/// Kernels are letters.
std::vector<uint32_t> lettersOf(const std::string& letters) {
  return {letters.begin(), letters.end()};
}

/// The place in the second of each of the first, as a digit; `-` where there is none.
std::string matchedText(const std::string& first, const std::string& second) {
  std::string text;
  for (const size_t match : matchLaunches(lettersOf(first), lettersOf(second)))
    text += match == kNoLaunch ? '-' : static_cast<char>('0' + match);
  return text;
}

struct RunPair {
  const char* name;
  std::string first, second, expected;
};

class LaunchMatch : public testing::TestWithParam<RunPair> {};

TEST_P(LaunchMatch, FollowsTheOrder) {
  EXPECT_EQ(matchedText(GetParam().first, GetParam().second), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, LaunchMatch,
    testing::Values(RunPair{"Same", "abcab", "abcab", "01234"},
                    RunPair{"NothingFirst", "", "abc", ""},
                    RunPair{"NothingSecond", "abc", "", "---"},
                    RunPair{"OneMissing", "abcab", "abab", "01-23"},
                    RunPair{"OneMoreInFront", "abc", "xabc", "123"},
                    RunPair{"TrialsThatAreCached", "ttttabtab", "abtab", "----01234"},
                    RunPair{"LastOnesMissing", "ababab", "aba", "012---"},
                    RunPair{"OtherOrderOfThreads", "apbqcz", "pqabcz", "203145"},
                    RunPair{"NothingInCommon", "aaa", "bbb", "---"},
                    RunPair{"MoreOfTheSame", "aaab", "aaaaab", "0125"}),
    [](const auto& info) { return info.param.name; });

TEST(LaunchMatches, NeverTakeOneTwiceNorAnotherKernel) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto make = [&] {
      std::vector<uint32_t> made(random() % 40);
      for (uint32_t& launch : made) launch = static_cast<uint32_t>(random() % 4);
      return made;
    };
    const std::vector<uint32_t> first = make();
    const std::vector<uint32_t> second = make();
    const std::vector<size_t> matches = matchLaunches(first, second);
    ASSERT_EQ(matches.size(), first.size());
    std::vector<bool> taken(second.size());
    for (size_t i = 0; i < matches.size(); ++i) {
      if (matches[i] == kNoLaunch) continue;
      ASSERT_LT(matches[i], second.size()) << "round " << round;
      EXPECT_EQ(first[i], second[matches[i]]) << "round " << round;
      EXPECT_FALSE(taken[matches[i]]) << "round " << round;
      taken[matches[i]] = true;
    }
  }
}

TEST(LaunchMatches, OfRunsWithLittleInCommonAreThoseThatAreEquallyMany) {
  std::vector<uint32_t> first(5000);
  std::iota(first.begin(), first.end(), 0U);
  std::vector<uint32_t> second(first.rbegin(), first.rend());
  second.push_back(7);  // which the first has but once
  const std::vector<size_t> matches = matchLaunches(first, second);
  EXPECT_EQ(matches[0], 4999U);
  EXPECT_EQ(matches[4999], 0U);
  EXPECT_EQ(matches[7], kNoLaunch);
}

}  // namespace
}  // namespace jitscope::collector
