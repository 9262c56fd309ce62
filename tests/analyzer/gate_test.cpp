#include "analyzer/gate/gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analyzer/gate/outputs.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

using std::chrono::year;

constexpr std::chrono::year_month_day kToday = year(2026) / 6 / 15;

/// A run with its analysis, to judge again and again.
struct Judged {
  Run run = runOf(kServiceRows);
  Analysis analysis = analyze(run);

  GateVerdict by(const std::string& config, const Baseline* baseline = nullptr) const {
    const trace::Result<GateConfig> read = parseGateConfig(config, "jitscope.toml");
    EXPECT_TRUE(read) << read.error().text;
    return judge(run, analysis, *read, baseline, kToday);
  }
};

const FindingCheck* findingOf(const GateVerdict& verdict, FindingKind kind) {
  const auto found =
      std::find_if(verdict.findings.begin(), verdict.findings.end(),
                   [&](const FindingCheck& check) { return check.finding->kind == kind; });
  return found == verdict.findings.end() ? nullptr : &*found;
}

struct LimitCase {
  std::string config;
  std::string words;  ///< of the limit's line
  bool passes = false;
};

class GateLimits : public testing::TestWithParam<LimitCase> {};

TEST_P(GateLimits, AreHeldAgainstTheRun) {
  const Judged judged;
  const Baseline baseline = baselineOf(judged.run, judged.analysis);
  const GateVerdict verdict = judged.by("[limits]\n" + GetParam().config, &baseline);
  ASSERT_EQ(verdict.limits.size(), 1U);
  EXPECT_EQ(limitText(verdict.limits.front()), GetParam().words);
  EXPECT_EQ(verdict.passes(), GetParam().passes);
}

// The service has one break, three recompilations, one call at the limit and three eager calls;
// 1 ms + 2 ms + 0.8 ms + … of compiling, and no kernels.
INSTANTIATE_TEST_SUITE_P(
    Service, GateLimits,
    testing::Values(LimitCase{"graph_breaks = 0", "graph_breaks: 1, limit 0", false},
                    LimitCase{"graph_breaks = 1", "graph_breaks: 1, limit 1", true},
                    LimitCase{"recompiles = 2", "recompiles: 3, limit 2", false},
                    LimitCase{"recompiles = 'baseline'", "recompiles: 3, limit 3", true},
                    LimitCase{"recompiles = 'baseline+2'", "recompiles: 3, limit 5", true},
                    LimitCase{"recompiles = 'baseline+100%'", "recompiles: 3, limit 6", true},
                    LimitCase{"limit_calls = 0", "limit_calls: 1, limit 0", false},
                    LimitCase{"eager_calls = 2", "eager_calls: 3, limit 2", false},
                    LimitCase{"eager_calls = 3", "eager_calls: 3, limit 3", true},
                    LimitCase{"kernels_per_step = 9", "kernels_per_step: not in this run, limit 9",
                              false}));

TEST(Gate, DoesNotOpenOnATraceThatTellsNoCompiles) {
  const auto run = loadRun(JITSCOPE_SOURCE_FOLDER "/tests/traces/import/inf_bandwidth.json");
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  for (const std::string name :
       {"graph_breaks", "recompiles", "limit_calls", "eager_calls", "compile_ms"}) {
    const auto config = parseGateConfig("[limits]\n" + name + " = 5", "jitscope.toml");
    ASSERT_TRUE(config) << config.error().text;
    const GateVerdict verdict = judge(*run, analysis, *config, nullptr, kToday);
    EXPECT_EQ(limitText(verdict.limits.front()), name + ": not in this run, limit 5");
    EXPECT_FALSE(verdict.passes());
  }
}

TEST(Gate, CountsCompileTimeOnceForAllFrames) {
  const Judged judged;
  double expectedMs = 0;
  for (const FrameSummary& frame : judged.analysis.frames)
    expectedMs += static_cast<double>(frame.compileNs) / 1e6;
  const GateVerdict verdict = judged.by("[limits]\ncompile_ms = 0.5");
  ASSERT_TRUE(verdict.limits.front().value);
  EXPECT_DOUBLE_EQ(*verdict.limits.front().value, expectedMs);
  EXPECT_TRUE(verdict.limits.front().isOver);
}

Run runOfKernels() {
  return runOf(R"rows(
frame  frame=0 name="step"
call   frame=0 at=0us..50us thread=1 outcome=eager
api    at=10us..11us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=12us..13us correlation=1 name="eager_kernel" modelled_bytes=7
call   frame=0 attempt=0 at=100us..150us thread=1 outcome=hit
api    at=110us..111us thread=1 correlation=2 name="cudaLaunchKernel"
kernel at=112us..113us correlation=2 name="fused" modelled_bytes=100
api    at=114us..115us thread=1 correlation=3 name="cudaLaunchKernel"
kernel at=116us..117us correlation=3 name="fused" modelled_bytes=300
call   frame=0 attempt=0 at=200us..250us thread=1 outcome=hit
api    at=210us..211us thread=1 correlation=4 name="cudaLaunchKernel"
kernel at=212us..213us correlation=4 name="fused" modelled_bytes=200
)rows");
}

TEST(Gate, CountsKernelsAndBytesOfCompiledCallsOnly) {
  const auto run = runOfKernels();
  const Baseline baseline = baselineOf(run, analyze(run));
  EXPECT_DOUBLE_EQ(baseline.measures.at("kernels_per_step"), 1.5);
  EXPECT_DOUBLE_EQ(baseline.measures.at("modelled_bytes_per_step"), 300);
  EXPECT_FALSE(baseline.measures.contains("exact_bytes_per_step"));
}

TEST(Gate, LetsNewFindingsPassOnlyAsGranted) {
  const Judged judged;
  Baseline baseline = baselineOf(judged.run, judged.analysis);
  EXPECT_TRUE(judged.by("", &baseline).passes());
  const Finding& worst = judged.analysis.findings.front();
  baseline.findings.erase(worst.id);
  const GateVerdict verdict = judged.by("", &baseline);
  EXPECT_EQ(verdict.overCount(), 1U);
  EXPECT_EQ(verdict.findings.front().state, FindingState::kNew);
  EXPECT_TRUE(verdict.findings.front().isOver);
  EXPECT_TRUE(judged.by("[limits]\nnew_findings = 1", &baseline).passes());
}

TEST(Gate, KnowsFindingsWhoseCodeHasMoved) {
  const Judged judged;
  Baseline baseline = baselineOf(judged.run, judged.analysis);
  const std::string id = "graph_break/scalar_read/decode.cpp:24";
  ASSERT_EQ(baseline.findings.erase(id), 1U);
  baseline.findings["graph_break/scalar_read/decode.cpp:19"] = "graph break: before the move";
  const GateVerdict verdict = judged.by("", &baseline);
  EXPECT_TRUE(verdict.passes());
  EXPECT_TRUE(verdict.gone.empty());
}

TEST(Gate, CountsNoFaultsOfTheRecording) {
  const analyzer::Run run = runOf(R"(
api at=20us..21us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=19us..20us correlation=1 name="a"
)");
  const Analysis analysis = analyze(run);
  ASSERT_EQ(analysis.findings.size(), 1U);
  const Baseline empty;
  EXPECT_TRUE(judge(run, analysis, GateConfig(), &empty, kToday).passes());
}

TEST(Gate, TellsWhatIsGone) {
  const Judged judged;
  Baseline baseline = baselineOf(judged.run, judged.analysis);
  baseline.findings["graph_break/print/old.cpp:3"] = "graph break: print";
  const GateVerdict verdict = judged.by("", &baseline);
  EXPECT_TRUE(verdict.passes());
  ASSERT_EQ(verdict.gone.size(), 1U);
  EXPECT_EQ(verdict.gone.front(), "graph break: print (graph_break/print/old.cpp:3)");
}

std::string allowBreaks(const std::string& until) {
  return "[limits]\ngraph_breaks = 0\n[[allow]]\nfinding = 'graph_break/*'\nreason = 'known'\n"
         "until = " +
         until + "\n";
}

TEST(Gate, LetsAnAllowanceHoldUntilItsLastDay) {
  const Judged judged;
  for (const char* until : {"2026-06-15", "2027-01-01"}) {
    const GateVerdict verdict = judged.by(allowBreaks(until));
    EXPECT_TRUE(verdict.passes()) << until;
    EXPECT_EQ(findingOf(verdict, FindingKind::kGraphBreak)->state, FindingState::kAllowed);
    EXPECT_EQ(findingOf(verdict, FindingKind::kGraphBreak)->allowedBecause,
              std::string("known (until ") + until + ")");
    EXPECT_TRUE(verdict.notes.empty());
  }
  const GateVerdict verdict = judged.by(allowBreaks("2026-06-14"));
  EXPECT_FALSE(verdict.passes());
  ASSERT_EQ(verdict.notes.size(), 1U);
  EXPECT_EQ(verdict.notes.front(), "the allowance of graph_break/* ended on 2026-06-14");
}

TEST(Gate, TellsOfAllowancesThatNothingNeeds) {
  const GateVerdict verdict =
      Judged().by("[[allow]]\nfinding = 'graph_break/print/*'\nreason = 'r'\nuntil = 2030-01-01\n");
  ASSERT_EQ(verdict.notes.size(), 1U);
  EXPECT_EQ(verdict.notes.front(),
            "nothing needs the allowance of graph_break/print/*: take it away");
}

TEST(Gate, KeepsAllCountsTrueInEveryOutput) {
  const Judged judged;
  Baseline baseline = baselineOf(judged.run, judged.analysis);
  baseline.findings.erase(judged.analysis.findings.front().id);
  const GateVerdict verdict = judged.by(allowBreaks("2027-01-01"), &baseline);
  const auto count = [](const std::string& text, const std::string& words) {
    size_t found = 0;
    for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
      ++found;
    return found;
  };
  const std::string junit = gateJUnit(verdict);
  EXPECT_EQ(count(junit, "<testcase "), verdict.limits.size() + verdict.findings.size());
  EXPECT_EQ(count(junit, "<failure "), verdict.overCount());
  EXPECT_EQ(count(junit, "<skipped "), 1U);
  const std::string gitHub = gateGitHub(verdict, "/src/service");
  EXPECT_EQ(count(gitHub, "::error "), verdict.overCount());
  EXPECT_EQ(count(gitHub, "::warning "), verdict.findings.size() - verdict.overCount() - 1);
}

TEST(GatePatterns, MatchWholeIds) {
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_TRUE(matchesPattern("a*c*e", "abcde"));
  EXPECT_TRUE(matchesPattern("a*b", "aabab"));
  EXPECT_TRUE(matchesPattern("**x", "x"));
  EXPECT_FALSE(matchesPattern("a*b", "aabac"));
  EXPECT_FALSE(matchesPattern("ab", "abc"));
  EXPECT_FALSE(matchesPattern("", "a"));
}

TEST(GatePaths, AreRelativeBelowTheRootOnly) {
  EXPECT_EQ(pathBelow("/src", "/src/a/b.cpp"), "a/b.cpp");
  EXPECT_EQ(pathBelow("/src/", "/src/x/../b.cpp"), "b.cpp");
  EXPECT_EQ(pathBelow("/src", "/srcs/b.cpp"), "/srcs/b.cpp");
  EXPECT_EQ(pathBelow("/src", "b.cpp"), "b.cpp");
}

struct ConfigMistake {
  std::string text, error;
};

class GateConfigMistakes : public testing::TestWithParam<ConfigMistake> {};

TEST_P(GateConfigMistakes, AreToldWithTheirLine) {
  const trace::Result<GateConfig> config = parseGateConfig(GetParam().text, "c.toml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().text, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, GateConfigMistakes,
    testing::Values(
        ConfigMistake{"[limits]\ngraph_brakes = 1",
                      "c.toml: unknown limit 'graph_brakes', did you mean 'graph_breaks'?: line 2"},
        ConfigMistake{"[limit]\n", "c.toml: unknown table 'limit', did you mean 'limits'?: line 1"},
        ConfigMistake{"[limits]\nrecompiles = -1",
                      "c.toml: recompiles is not a limit: write a number, \"baseline\", "
                      "\"baseline+N\" or \"baseline+N%\": line 2"},
        ConfigMistake{"[limits]\nrecompiles = 'baseline*2'",
                      "c.toml: recompiles is not a limit: write a number, \"baseline\", "
                      "\"baseline+N\" or \"baseline+N%\": line 2"},
        ConfigMistake{"[limits]\nrecompiles = nan",
                      "c.toml: recompiles is not a limit: write a number, \"baseline\", "
                      "\"baseline+N\" or \"baseline+N%\": line 2"},
        ConfigMistake{"[limits]\nnew_findings = 'few'",
                      "c.toml: new_findings is not a count: line 2"},
        ConfigMistake{"limits = 3", "c.toml: limits is not a table: line 1"},
        ConfigMistake{"[allow]\nfinding = 'x'",
                      "c.toml: allow is not a list: write [[allow]]: line 1"},
        ConfigMistake{"[[allow]]\nreason = 'x'\nuntil = 2027-01-01",
                      "c.toml: allow needs finding = \"the id of one\": line 1"},
        ConfigMistake{"[[allow]]\nfinding = 'x'\nuntil = 2027-01-01",
                      "c.toml: allow needs reason = \"why\": line 1"},
        ConfigMistake{"[[allow]]\nfinding = 'x'\nreason = 'y'",
                      "c.toml: allow needs until = a date such as 2027-03-31: line 1"},
        ConfigMistake{"[[allow]]\nfinding = 'x'\nreasn = 'y'",
                      "c.toml: unknown key 'reasn', did you mean 'reason'?: line 3"}));

TEST(GateConfigText, SaysWhereItIsNoToml) {
  const trace::Result<GateConfig> config = parseGateConfig("[limits]\na = = 3\n", "c.toml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().text.find("c.toml: "), 0U);
  EXPECT_NE(config.error().text.find(": line 2"), std::string::npos) << config.error().text;
}

TEST(GateConfigs, OfNoTomlAreToldWithTheLine) {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"[limits]\na = = 3\n"sv, "[?]"sv, "[?\0\0ts"sv, "[ \0]"sv,
                                      "[[?]]"sv, "[a.?]"sv, "?=1"sv, "[\n"sv, "[\"\"\"a"sv}) {
    SCOPED_TRACE(text);
    const trace::Result<GateConfig> config = parseGateConfig(text, "c.toml");
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().text.find("c.toml: "), 0U) << config.error().text;
    EXPECT_NE(config.error().text.find(": line "), std::string::npos) << config.error().text;
  }
}

}  // namespace
}  // namespace jitscope::analyzer
