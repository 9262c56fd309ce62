#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/run.h"
#include "tests/analyzer/cases.h"

namespace jitscope::analyzer {
namespace {

#define SKIP_WITHOUT_CASES()                                                          \
  if (casesFolder().empty()) {                                                        \
    GTEST_SKIP() << "no cases: set JITSCOPE_CASES, or put them into ../shared/cases"; \
  }

std::map<std::string, double, std::less<>> countsOf(const Run& run) {
  std::map<std::string, double, std::less<>> counts;
  for (const Input& input : run.inputs) {
    for (const InputCount& count : input.counts) {
      counts[count.name] +=
          std::visit([](auto amount) { return static_cast<double>(amount); }, count.amount);
    }
  }
  return counts;
}

TEST(ChromeCases, HoldWhatTheManifestSays) {
  SKIP_WITHOUT_CASES();
  const std::vector<Case> cases = casesOf("chrome-trace");
  EXPECT_GT(cases.size(), 70U);
  size_t compared = 0;
  for (const Case& each : cases) {
    SCOPED_TRACE(each.id + " " + each.path.string());
    const trace::Result<analyzer::Run> run = loadRun(each.path);
    if (!run) {
      ADD_FAILURE() << run.error().text;
      continue;
    }
    const auto counts = countsOf(*run);
    for (const auto& [name, wanted] : each.facts) {
      const auto found = counts.find(name);
      // The manifest also tells of things that are no counts of ours, in words of its own.
      if (found == counts.end()) continue;
      ++compared;
      const double tolerance = name == "kern_us" ? 0.06 : 0;
      EXPECT_LE(std::abs(found->second - wanted), tolerance)
          << name << ": is " << found->second << ", the manifest says " << wanted;
    }
  }
  EXPECT_GT(compared, 1000U);
}

struct DamagedCase {
  std::string id;
  std::map<std::string, double> counts;
  std::string loss;  ///< words of a loss that must be told
  InputLossKind kind;
};

TEST(ChromeCases, AreRepairedAndSayWhat) {
  SKIP_WITHOUT_CASES();
  const std::vector<DamagedCase> wanted{
      {"C062",
       {{"kern", 1}, {"kern_us", 4}, {"gpu_memcpy", 1}},
       "bare words",
       InputLossKind::kRepaired},
      {"C062b", {{"kern", 1}, {"kern_us", 3}}, "bare words", InputLossKind::kRepaired},
      {"C063", {{"kern", 1}, {"kern_us", 3}}, "bare words", InputLossKind::kRepaired},
      {"C065", {{"ev", 2}}, "control characters", InputLossKind::kRepaired},
      {"C066", {{"ev", 2}}, "begin no escape", InputLossKind::kRepaired},
      {"C068",
       {{"kern", 40}, {"ts0", 10}, {"kern_us", 90}},
       "lost time stamps",
       InputLossKind::kSkipped},
      {"C069", {{"kern", 2}, {"neg_dur", 1}}, "negative duration", InputLossKind::kRepaired},
      {"C084b", {{"kern", 1}, {"kern_us", 3}}, "closing brackets", InputLossKind::kRepaired},
      {"D001",
       {{"ev", 874}, {"kern", 43}, {"kern_us", 99}},
       "gzip: cut short",
       InputLossKind::kCut},
      {"D002",
       {{"ev", 758}, {"kern", 20}, {"kern_us", 46}},
       "midst of an event",
       InputLossKind::kCut}};
  const std::vector<Case> cases = casesOf("chrome-trace");
  for (const DamagedCase& each : wanted) {
    SCOPED_TRACE(each.id);
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const Case& known) { return known.id == each.id; });
    ASSERT_NE(found, cases.end());
    const trace::Result<analyzer::Run> run = loadRun(found->path);
    ASSERT_TRUE(run) << run.error().text;
    auto counts = countsOf(*run);
    for (const auto& [name, amount] : each.counts) EXPECT_NEAR(counts[name], amount, 0.01) << name;
    const std::vector<InputLoss>& losses = run->inputs.front().losses;
    const bool isTold = std::any_of(losses.begin(), losses.end(), [&](const InputLoss& loss) {
      return loss.kind == each.kind && loss.text.find(each.loss) != std::string::npos;
    });
    EXPECT_TRUE(isTold) << "no loss says '" << each.loss << "'";
  }
}

TEST(ChromeCases, NameWhatIsNoTrace) {
  SKIP_WITHOUT_CASES();
  const std::vector<std::pair<std::string, std::string>> wanted{{"pb", "XPlane"},
                                                                {"nsys-rep", "nsys export"},
                                                                {"json-other", "trace"},
                                                                {"empty", "the file is empty"}};
  for (const auto& [format, words] : wanted) {
    const std::vector<Case> cases = casesOf(format);
    EXPECT_FALSE(cases.empty()) << format;
    for (const Case& each : cases) {
      const trace::Result<analyzer::Run> run = loadRun(each.path);
      ASSERT_FALSE(run) << each.path;
      EXPECT_NE(run.error().text.find(words), std::string::npos) << run.error().text;
      EXPECT_EQ(run.error().text.find("JSON without"), std::string::npos) << run.error().text;
    }
  }
}

struct CompiledCase {
  std::string id;
  int64_t compiled, replay, eager;
};

TEST(ChromeCases, TellHowEachKernelCameToRun) {
  SKIP_WITHOUT_CASES();
  const std::vector<CompiledCase> wanted{
      {"H007", 0, 0, 153}, {"H008", 114, 0, 0}, {"H009", 3, 114, 0}, {"F028", 12, 0, 0}};
  for (const CompiledCase& each : wanted) {
    SCOPED_TRACE(each.id);
    const std::vector<Case> cases = casesOf("chrome-trace");
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const Case& known) { return known.id == each.id; });
    ASSERT_NE(found, cases.end());
    const trace::Result<analyzer::Run> run = loadRun(found->path);
    ASSERT_TRUE(run) << run.error().text;
    std::map<trace::Origin, int64_t> origins;
    size_t placed = 0;
    const Process& process = run->processes[ProcessIndex{0}];
    for (size_t i = 0; i < process.kernels.size(); ++i) {
      ++origins[process.originOf(KernelIndex{static_cast<uint32_t>(i)})];
      placed += exists(process.kernelOps[i]);
    }
    EXPECT_EQ(origins[trace::Origin::kCompiled], each.compiled);
    EXPECT_EQ(origins[trace::Origin::kReplay], each.replay);
    EXPECT_EQ(origins[trace::Origin::kEager], each.eager);
    EXPECT_EQ(origins[trace::Origin::kUnknown], 0);
    EXPECT_GT(placed, 0U);
  }
}

}  // namespace
}  // namespace jitscope::analyzer
