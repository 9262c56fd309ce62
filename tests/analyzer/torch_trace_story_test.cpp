#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analyzer/diagnoses/guard_cause.h"
#include "tests/analyzer/run_of_log.h"

namespace jitscope::analyzer {
namespace {

/// One record with an optional payload; the digest does not matter here.
std::string record(const std::string& json, const std::string& payload = "", int pid = 860) {
  std::string text =
      "V1129 18:00:14.500000 " + std::to_string(pid) + " torch/_dynamo/x.py:1] " + json;
  if (!payload.empty()) {
    text.insert(text.size() - 1, ", \"has_payload\": \"00\"");
    text += "\n\t" + payload;
  }
  return text + "\n";
}

constexpr const char* kId00 = R"("frame_id": 0, "frame_compile_id": 0, "attempt": 0)";
constexpr const char* kId01 = R"("frame_id": 0, "frame_compile_id": 1, "attempt": 0)";

std::string metrics(const std::string& id, const std::string& more = "") {
  return record(R"({"compilation_metrics": {"co_name": "step", "co_filename": "/srv/app.py",
"co_firstlineno": 7, "graph_op_count": 2, "guard_count": 9, "start_time_us": 1795975214632754,
"end_time_us": 1795975216297726, "dynamo_cumulative_compile_time_us": 1664716,
"aot_autograd_cumulative_compile_time_us": 1518025, "inductor_cumulative_compile_time_us": 563237,
"inductor_code_gen_cumulative_compile_time_us": 212239, "pytorch_version": "2.11.0")" +
                more + "}, " + id + "}");
}

/// Headers are one line.
std::string oneLine(std::string text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool isInside = text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '"';
    result += isInside ? ' ' : text[i];
  }
  return result;
}

TEST(TorchTraceStory, PhasesOfACompilationDoNotOverlap) {
  const analyzer::Run run = runOfLog(
      record(std::string(R"({"str": ["/srv/app.py", 1]})")) +
      record(
          R"({"dynamo_start": {"stack": [{"line": 31, "name": "<module>", "filename": 1}, {"line": 7, "name": "step", "filename": 1}]}, )" +
          std::string(kId00) + "}") +
      oneLine(metrics(kId00)));
  ASSERT_EQ(run.compiles.size(), 1U);
  const Compile& compile = *run.compiles.begin();
  EXPECT_EQ(compile.captureNs, 146'691'000);
  EXPECT_EQ(compile.aotNs, 954'788'000);
  EXPECT_EQ(compile.backendNs, 350'998'000);
  EXPECT_EQ(compile.codegenNs, 212'239'000);
  EXPECT_EQ(compile.costNs(), 1'664'716'000);
  EXPECT_EQ(compile.startNs, 1795975214632754000);
  EXPECT_EQ(compile.endNs, 1795975216297726000);
  EXPECT_EQ(run.text(compile.stack), "/srv/app.py:31 <module>");
  ASSERT_EQ(run.frames.size(), 1U);
  EXPECT_EQ(run.text(run.frames.begin()->name), "step");
  EXPECT_EQ(run.frames.begin()->line, 7);
  ASSERT_EQ(run.processes.size(), 1U);
  EXPECT_EQ(run.processes.begin()->row.pid, 860);
  EXPECT_EQ(run.text(run.processes.begin()->row.torchVersion), "2.11.0");
}

TEST(TorchTraceStory, ARecompileHasItsReasonsInBothForms) {
  const std::string artifact =
      R"({"artifact": {"name": "recompile_reasons", "encoding": "json"}, )";
  const analyzer::Run run =
      runOfLog(oneLine(metrics(kId00)) +
               record(artifact + kId01 + "}",
                      "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8") +
               oneLine(metrics(kId01)) +
               record(artifact + R"("frame_id": 0, "frame_compile_id": 2, "attempt": 0})",
                      "[\n\t\"0/1: tensor 'x' dtype mismatch. expected Float, actual Half\",\n\t"
                      "\"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 9\"\n\t]") +
               oneLine(metrics(R"("frame_id": 0, "frame_compile_id": 2, "attempt": 0)")));
  ASSERT_EQ(run.guardFailures.size(), 3U);
  const GuardFailure& first = *run.guardFailures.begin();
  EXPECT_EQ(run.text(first.source), "x");
  EXPECT_EQ(run.text(first.expected), "4");
  EXPECT_EQ(run.text(first.actual), "8");
  EXPECT_EQ(guardStory(run, first).cause, GuardCause::kSize);
  EXPECT_EQ(first.caused, trace::AttemptId{1});
  const auto isRecompile = [](const Finding& finding) {
    return finding.kind == FindingKind::kRecompile;
  };
  const auto findings = analyze(run).findings;
  EXPECT_EQ(std::count_if(findings.begin(), findings.end(), isRecompile), 2);
}

TEST(TorchTraceStory, ForkedChildrenAreProcessesOfTheirOwn) {
  const std::string start = R"({"dynamo_start": {"stack": []}, )" + std::string(kId00) + "}";
  const analyzer::Run run = runOfLog(record(start, "", 10) + record(start, "", 11));
  EXPECT_EQ(run.processes.size(), 2U);
  EXPECT_EQ(run.compiles.size(), 2U);
}

TEST(TorchTraceStory, AFailureIsToldWithItsReason) {
  const analyzer::Run run = runOfLogFile("chromium_events.log");
  ASSERT_EQ(run.compiles.size(), 1U);
  EXPECT_FALSE(run.text(run.compiles.begin()->failure).empty());
  EXPECT_EQ(inputCount(run, "failures"), 1);
  EXPECT_EQ(inputCount(run, "records"), 21);
  EXPECT_EQ(inputCount(run, "md5_bad_as_is"), 0);
}

TEST(TorchTraceStory, OldLogsTellBreaksByTheirRestarts) {
  const analyzer::Run run = runOfLogFile("comp_metrics.log");
  EXPECT_EQ(run.compiles.size(), 3U);
  EXPECT_EQ(run.breaks.size(), 2U);
  EXPECT_EQ(inputCount(run, "metrics_with_restart_reasons"), 2);
}

TEST(TorchTraceStory, AReachedLimitIsNoCompilation) {
  const analyzer::Run run = runOfLog(
      oneLine(metrics(kId00)) +
      oneLine(record(
          R"({"compilation_metrics": {"fail_type": "Unsupported", "fail_reason": "Dynamo recompile limit exceeded", "recompile_reason": "0/0: G['s'] == 7"}, )" +
          std::string(kId01) + "}")));
  EXPECT_EQ(run.compiles.size(), 1U);
  ASSERT_EQ(run.calls.size(), 1U);
  EXPECT_EQ(run.calls.begin()->outcome, trace::CallOutcome::kLimit);
  const Analysis analysis = analyze(run);
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].kind, FindingKind::kRecompileLimit);
}

TEST(TorchTraceStory, OnlyAWholeGuardOnANumberIsASpecialization) {
  std::string text = oneLine(metrics(kId00));
  for (const std::string guard : {"Eq(s0, 3)", "Eq(s1, ", "Eq(s2, )", "Eq(s3, 3", "Eq(s4, 3x)",
                                  "Eq(s5 + 1, 3)", "Ne(s6, 3)", "Eq("}) {
    text += record(R"({"guard_added": {"expr": ")" + guard +
                   R"(", "symbol_to_sources": {"s0": "L['x'].size()[0]"}}, )" + kId00 + "}");
  }
  const analyzer::Run run = runOfLog(text);
  ASSERT_EQ(run.specializations.size(), 1U);
  EXPECT_EQ(run.specializations.begin()->value, 3);
}

}  // namespace
}  // namespace jitscope::analyzer
