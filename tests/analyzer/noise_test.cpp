#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analyzer/diff/repeats.h"

namespace jitscope::analyzer {
namespace {

/// How single repeats of a thing vary.
enum class Noise {
  kSpread,  ///< each by itself, by a fifth
  kTails,   ///< now and then one takes many times as long
  kStates,  ///< a processor that is a half slower for a while, again and again
  kCoarse,  ///< a clock of a whole microsecond
};

/// Durations of something that takes `typicalNs`.
std::vector<int64_t> durations(std::mt19937& random, Noise noise, size_t count, double typicalNs) {
  std::normal_distribution<double> spread(0, 0.2);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<int64_t> result;
  bool isSlow = uniform(random) < 0.5;
  for (size_t i = 0; i < count; ++i) {
    double each = typicalNs * std::exp(spread(random));
    if (noise == Noise::kTails && uniform(random) < 0.1) each *= 10 / (0.1 + uniform(random));
    // About ten changes in a run, whatever its length.
    if (uniform(random) < 10.0 / static_cast<double>(count)) isSlow = !isSlow;
    if (noise == Noise::kStates && isSlow) each *= 1.5;
    if (noise == Noise::kCoarse) each = std::round(each / 1000) * 1000;
    result.push_back(std::llround(each));
  }
  return result;
}

/// A run of so many things; the first of them takes `factor` times as long as in others.
DurationsByName runOfThings(std::mt19937& random, Noise noise, size_t things, size_t repeats,
                            double factor = 1) {
  DurationsByName run;
  for (size_t i = 0; i < things; ++i) {
    const double typicalNs = 5000.0 * static_cast<double>(1 + i) * (i == 0 ? factor : 1);
    run[fmt::format("thing {}", static_cast<char>('a' + i % 26)) + std::string(i / 26, '\'')] = {
        durations(random, noise, repeats, typicalNs), {}};
  }
  return run;
}

bool isTold(const RepeatDifference& each) {
  return each.change != Change::kSame && each.change != Change::kUnjudged;
}

struct NoiseCase {
  const char* name;
  Noise noise;
  size_t things, repeats;
  int mostPairsTold = 2;  ///< of 60; one in a hundred is what the thresholds are made for
};

class EqualRuns : public testing::TestWithParam<NoiseCase> {};

TEST_P(EqualRuns, HardlyEverDiffer) {
  constexpr int kPairs = 60;
  int pairsTold = 0;
  for (uint32_t seed = 1; seed <= kPairs; ++seed) {
    std::mt19937 random(seed);
    const auto& [name, noise, things, repeats, mostPairsTold] = GetParam();
    const DurationsByName before = runOfThings(random, noise, things, repeats);
    const DurationsByName after = runOfThings(random, noise, things, repeats);
    const std::vector<RepeatDifference> differences = compareRepeats(before, after);
    if (std::any_of(differences.begin(), differences.end(), isTold)) ++pairsTold;
  }
  EXPECT_LE(pairsTold, GetParam().mostPairsTold);
}

INSTANTIATE_TEST_SUITE_P(Noise, EqualRuns,
                         testing::Values(NoiseCase{"Spread", Noise::kSpread, 40, 100},
                                         NoiseCase{"Few", Noise::kSpread, 40, 8},
                                         NoiseCase{"Long", Noise::kSpread, 5, 2000},
                                         NoiseCase{"Tails", Noise::kTails, 40, 100},
                                         // Slow for a tenth of the run at a time: no run alone can
                                         // tell all of that, and by ranks alone all pairs differ.
                                         NoiseCase{"States", Noise::kStates, 40, 300, 6},
                                         NoiseCase{"Coarse", Noise::kCoarse, 40, 100}),
                         [](const auto& info) { return info.param.name; });

class SlowerThings : public testing::TestWithParam<NoiseCase> {};

TEST_P(SlowerThings, AreTold) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const auto& [name, noise, things, repeats, mostPairsTold] = GetParam();
    constexpr double kSlower = 2;
    const DurationsByName before = runOfThings(random, noise, things, repeats);
    const DurationsByName after = runOfThings(random, noise, things, repeats, kSlower);
    for (const RepeatDifference& each : compareRepeats(before, after)) {
      if (each.what != "thing a") continue;
      EXPECT_EQ(each.change, Change::kMore) << "seed " << seed;
    }
    for (const RepeatDifference& each : compareRepeats(after, before)) {
      if (each.what != "thing a") continue;
      EXPECT_EQ(each.change, Change::kLess) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Noise, SlowerThings,
                         testing::Values(NoiseCase{"Spread", Noise::kSpread, 40, 100},
                                         NoiseCase{"Alone", Noise::kSpread, 1, 40},
                                         NoiseCase{"Tails", Noise::kTails, 40, 200},
                                         NoiseCase{"Coarse", Noise::kCoarse, 40, 100}),
                         [](const auto& info) { return info.param.name; });

TEST(SlowFirstCall, HidesNothing) {
  const auto run = [](int64_t firstNs, int64_t eachNs, size_t repeats) {
    std::vector<int64_t> allNs(repeats, eachNs);
    allNs.front() = firstNs;
    return DurationsByName{{"step", {allNs, "compiled"}}};
  };
  for (const size_t repeats : {size_t{12}, size_t{16}, size_t{23}, size_t{40}}) {
    const DurationsByName before = run(50'000'000, 1'000'000, repeats);
    const DurationsByName after = run(60'000'000, 2'000'000, repeats);
    EXPECT_EQ(compareRepeats(before, after).front().change, Change::kMore) << repeats;
    EXPECT_EQ(compareRepeats(after, before).front().change, Change::kLess) << repeats;
    EXPECT_EQ(compareRepeats(before, before).front().change, Change::kSame) << repeats;
  }
}

}  // namespace
}  // namespace jitscope::analyzer
