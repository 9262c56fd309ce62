#include "analyzer/diff.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "analyzer/diff/align.h"
#include "analyzer/diff/repeats.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

/// Two runs with their analyses, which a diff points into.
struct TwoRuns {
  TwoRuns(std::string_view beforeRows, std::string_view afterRows)
      : before(runOf(beforeRows)), after(runOf(afterRows)) {
    before.path = "before";
    after.path = "after";
  }

  analyzer::Run before, after;
  Analysis beforeAnalysis = analyze(before), afterAnalysis = analyze(after);
  RunDiff diff = diffRuns(before, beforeAnalysis, after, afterAnalysis);
};

/// Calls of `step` that take about so long, and a kernel in each.
std::string calls(int count, int tookUs, std::string_view kernel = "gemm") {
  std::string rows = "frame frame=0 name=\"step\" file=\"step.py\" line=3\n";
  for (int i = 0; i < count; ++i) {
    rows += fmt::format(
        "call frame=0 attempt=0 at={0}us..{1}us thread=1 outcome=hit\n"
        "kernel at={0}us..{2}us name=\"{3}\"\n",
        1000 * i, 1000 * i + tookUs + i % 3, 1000 * i + tookUs / 2 + i % 3, kernel);
  }
  return rows;
}

const RepeatDifference& only(const std::vector<RepeatDifference>& list) {
  EXPECT_EQ(list.size(), 1U);
  return list.front();
}

TEST(Diff, OfARunWithItselfIsNone) {
  const TwoRuns runs(kServiceRows, kServiceRows);
  for (const FindingDifference& each : runs.diff.findings) EXPECT_EQ(each.change, Change::kSame);
  for (const TotalDifference& each : runs.diff.totals) EXPECT_EQ(each.change, Change::kSame);
  EXPECT_NE(renderDiff(runs.diff, "text", 0)->find("No difference beyond"), std::string::npos);
}

TEST(Diff, CountsNoCompilationsAndBreaksOfFilesThatDoNotTellThem) {
  const auto run = loadRun(JITSCOPE_SOURCE_FOLDER "/tests/traces/import/compiled_model.json.gz");
  ASSERT_TRUE(run) << run.error().text;
  ASSERT_FALSE(run->frames.empty());
  const Analysis analysis = analyze(*run);
  std::vector<std::string_view> names;
  for (const TotalDifference& each : diffRuns(*run, analysis, *run, analysis).totals)
    names.push_back(each.name);
  EXPECT_EQ(std::count(names.begin(), names.end(), "kernels"), 1);
  for (const char* untold : {"compiles", "recompiles", "compile_ns", "graph_breaks", "break_ns"})
    EXPECT_EQ(std::count(names.begin(), names.end(), untold), 0) << untold;
}

TEST(Diff, TellsSlowerFromNoise) {
  EXPECT_EQ(only(TwoRuns(calls(20, 100), calls(20, 150)).diff.frames).change, Change::kMore);
  EXPECT_EQ(only(TwoRuns(calls(20, 150), calls(20, 100)).diff.frames).change, Change::kLess);
  EXPECT_EQ(only(TwoRuns(calls(20, 100), calls(20, 101)).diff.frames).change, Change::kSame);
}

TEST(Diff, TakesRepeatsByRankWhateverTheIdsOfTheProcesses) {
  const tests::TemporaryFolder folder;
  const auto write = [&](const std::string& run, int pid, int rank) {
    std::filesystem::create_directories(folder / run);
    const std::string rows = fmt::format("process pid={} rank={}\n", pid, rank);
    // The ranks take turns: by time alone they would be mixed.
    tests::writeTrace(folder / run / fmt::format("{}.jitscope", pid),
                      rows + fmt::format(R"(
frame frame=0 name="step" file="step.py" line=3
call frame=0 attempt=0 at={0}us..{1}us thread=1 outcome=hit
op at={0}us..{1}us thread=1 name="aten::mm"
kernel at={0}us..{1}us device=0 stream=7 name="gemm"
call frame=0 attempt=0 at=1{0}us..1{1}us thread=1 outcome=hit
op at=1{0}us..1{1}us thread=1 name="aten::mm"
kernel at=1{0}us..1{1}us device=0 stream=7 name="gemm"
)",
                                         100 + 10 * rank, 101 + 11 * rank));
  };
  write("before", 10, 0), write("before", 20, 1);
  write("after", 10, 1), write("after", 20, 0);
  for (const char* const run : {"before", "after"}) {
    const trace::Result<analyzer::Run> loaded = loadRun(folder / run);
    ASSERT_TRUE(loaded) << loaded.error().text;
    const std::vector<int64_t> byRank{1000, 1000, 2000, 2000};
    EXPECT_EQ(callDurations(*loaded, analyze(*loaded)).begin()->second.allNs, byRank) << run;
    EXPECT_EQ(operatorDurations(*loaded).begin()->second.allNs, byRank) << run;
    EXPECT_EQ(kernelDurations(*loaded).begin()->second.allNs, byRank) << run;
  }
}

TEST(Diff, JudgesNothingByAFewRepeats) {
  EXPECT_EQ(only(TwoRuns(calls(3, 100), calls(3, 300)).diff.frames).change, Change::kUnjudged);
}

TEST(Diff, MatchesKernelsWhateverTheirNumber) {
  const TwoRuns runs(calls(20, 100, "triton_poi_fused_add_0"),
                     calls(20, 100, "triton_poi_fused_add_3"));
  EXPECT_EQ(only(runs.diff.kernels).change, Change::kSame);
  const TwoRuns other(calls(20, 100, "triton_poi_fused_add_0"), calls(20, 100, "gemm"));
  EXPECT_EQ(RunDiff::countOf(other.diff.kernels, Change::kAdded), 1);
  EXPECT_EQ(RunDiff::countOf(other.diff.kernels, Change::kGone), 1);
}

TEST(Diff, MatchesFindingsWhereCodeHasMoved) {
  const auto breakAt = [](int line) {
    return fmt::format(
        "graph_break frame=0 attempt=0 at=1us..2us thread=1 is_first=1 reason=\"Unsupported "
        "Tensor.item() call\" stack=\"/src/a.cpp:{} step\"\n",
        line);
  };
  const TwoRuns moved(breakAt(12), breakAt(17));
  ASSERT_EQ(moved.diff.findings.size(), 1U);
  EXPECT_EQ(moved.diff.findings[0].change, Change::kSame);
  const TwoRuns added(breakAt(12), breakAt(12) + breakAt(17));
  EXPECT_EQ(RunDiff::countOf(added.diff.findings, Change::kAdded), 1);
}

TEST(Diff, OfEagerAndCompiledSaysSo) {
  std::string eager = calls(20, 200);
  for (size_t at = 0; (at = eager.find("outcome=hit", at)) != std::string::npos;)
    eager.replace(at, 11, "outcome=eager");
  const TwoRuns runs(eager, calls(20, 100));
  const RepeatDifference& frame = only(runs.diff.frames);
  EXPECT_EQ(frame.change, Change::kLess);
  EXPECT_EQ(frame.before->served, "eager");
  EXPECT_EQ(frame.after->served, "compiled");
  EXPECT_NE(renderDiff(runs.diff, "text", 0)->find("eager → compiled"), std::string::npos);
}

/// How long threads had a processor and waited for one, in parts of the same time.
std::string waits(int running, int waiting) {
  constexpr const char* kRow =
      "counter at=1ms..9ms device=-1 metric=\"processor_{}_ns\" value={}\n";
  return fmt::format(kRow, "running", running) + fmt::format(kRow, "waiting", waiting);
}

/// Operators that take about so long.
std::string operators(int count, int tookUs) {
  std::string rows;
  for (int i = 0; i < count; ++i)
    rows += fmt::format("op at={}us..{}us thread=1 name=\"aten::mm\"\n", 1000 * i,
                        1000 * i + tookUs + i % 3);
  return rows;
}

std::string compile(int tookUs) {
  return fmt::format("compile frame=0 attempt=0 at=0us..{}us thread=1\n", tookUs);
}

const TotalDifference& totalOf(const RunDiff& diff, std::string_view name) {
  const auto found = std::find_if(diff.totals.begin(), diff.totals.end(),
                                  [&](const auto& total) { return total.name == name; });
  EXPECT_NE(found, diff.totals.end()) << name;
  return *found;
}

TEST(Diff, CallsNothingFasterOrSlowerByTimesThatAreNotReliable) {
  const std::string busy = waits(30, 70), quiet = waits(99, 1);
  const std::string slow = calls(20, 150) + operators(20, 9) + compile(7),
                    fast = calls(20, 100, "gemv") + calls(20, 50) + operators(20, 5) + compile(3);
  EXPECT_EQ(only(TwoRuns(slow + quiet, calls(20, 100) + quiet).diff.frames).change, Change::kLess);
  for (const auto& [before, after] : {std::pair(busy, quiet), std::pair(quiet, busy)}) {
    const TwoRuns runs(slow + before, fast + after);
    EXPECT_EQ(only(runs.diff.frames).change, Change::kDoubtful);
    EXPECT_EQ(only(runs.diff.operators).change, Change::kDoubtful);
    EXPECT_EQ(totalOf(runs.diff, "calls").change, Change::kMore);
    for (const char* const time : {"duration_ns", "compile_ns"})
      EXPECT_EQ(totalOf(runs.diff, time).change, Change::kDoubtful) << time;
    EXPECT_NE(renderDiff(runs.diff, "text", 0)->find("%, doubtful"), std::string::npos);
  }
}

TEST(Diff, TellsTimesOfTheGpuHoweverBusyTheProcessorsWere) {
  const std::string busy = waits(30, 70), quiet = waits(99, 1);
  const TwoRuns runs(calls(20, 150) + busy, calls(20, 100, "gemv") + calls(20, 50) + quiet);
  EXPECT_EQ(RunDiff::countOf(runs.diff.kernels, Change::kLess), 1);
  EXPECT_EQ(RunDiff::countOf(runs.diff.kernels, Change::kAdded), 1);
  EXPECT_EQ(totalOf(runs.diff, "kernel_ns").change, Change::kUnjudged);
  EXPECT_NE(verdictOf(runs.diff).find("kernels: 1 added, 1 faster"), std::string::npos);
}

TEST(Diff, SaysInEachFormatThatTimesAreNotReliable) {
  const std::string busy = waits(30, 70), quiet = waits(99, 1);
  const TwoRuns runs(calls(20, 150) + busy, calls(20, 100) + waits(20, 80));
  const auto jsonOf = [](const TwoRuns& each) {
    return nlohmann::json::parse(*renderDiff(each.diff, "json", 0));
  };
  for (const std::string_view format : diffFormatNames()) {
    std::string text = *renderDiff(runs.diff, format, 0);
    std::replace(text.begin(), text.end(), '\n', ' ');
    EXPECT_NE(text.find("in 70 % before and in 80 % after"), std::string::npos) << text;
    EXPECT_NE(text.find("not reliable"), std::string::npos) << text;
    EXPECT_EQ(text.find("callables: 1 faster"), std::string::npos) << text;
  }
  EXPECT_EQ(jsonOf(runs)["has_reliable_times"], false);
  EXPECT_EQ(jsonOf(runs)["notes"].size(), 1);
  EXPECT_EQ(jsonOf(runs)["frames"][0]["change"], "doubtful");
  const TwoRuns reliable(calls(20, 150) + quiet, calls(20, 100) + quiet);
  EXPECT_EQ(jsonOf(reliable)["has_reliable_times"], true);
  EXPECT_TRUE(jsonOf(reliable)["notes"].empty());
  EXPECT_EQ(verdictOf(reliable.diff).find("reliable"), std::string::npos);
  const TwoRuns one(calls(20, 150) + quiet, calls(20, 100) + busy);
  EXPECT_NE(verdictOf(one.diff).find("a processor in 70 % after, so"), std::string::npos);
}

TEST(Diff, TextIsAsReviewed) {
  const std::string mended = calls(20, 100);
  const TwoRuns runs(kServiceRows, mended);
  tests::expectGolden("tests/analyzer/golden/diff.txt", *renderDiff(runs.diff, "text", 5));
}

TEST(Diff, JsonHoldsEverything) {
  const TwoRuns runs(kServiceRows, calls(20, 100));
  const nlohmann::json json = nlohmann::json::parse(*renderDiff(runs.diff, "json", 1));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["findings"].size(), runs.diff.findings.size());
  EXPECT_EQ(json["findings"].back()["change"], "gone");
  EXPECT_EQ(json["kernels"][0]["what"], "gemm");
  EXPECT_TRUE(json["kernels"][0]["before"].is_null());
  EXPECT_EQ(json["kernels"][0]["after"]["count"], 20);
}

TEST(Diff, HasTheFormatsThatItNames) {
  const TwoRuns runs("", "");
  for (const std::string_view format : diffFormatNames())
    EXPECT_TRUE(renderDiff(runs.diff, format, 0));
  EXPECT_FALSE(renderDiff(runs.diff, "html", 0));
}

TEST(Align, PairsEqualTextsFirst) {
  const std::vector<Aligned> pairs = align({"a:1", "a:2", "b"}, {"a:2", "a:9", "c"});
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_EQ(pairs[0].before, 1U);
  EXPECT_EQ(pairs[1].before, 0U);
  EXPECT_EQ(pairs[2].before, std::nullopt);
  EXPECT_EQ(pairs[3].before, 2U);
  EXPECT_EQ(pairs[3].after, std::nullopt);
}

TEST(Align, LeavesApartWhatHasSeveralPartners) {
  const std::vector<Aligned> pairs = align({"a:1", "a:2"}, {"a:8", "a:9"});
  EXPECT_EQ(pairs.size(), 4U);
}

}  // namespace
}  // namespace jitscope::analyzer
