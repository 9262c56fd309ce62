#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "analyzer/analysis.h"
#include "analyzer/recording_notes.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

/// What a person who asked for help with a trace should have been told.
struct TraceCase {
  std::string file;
  std::string id;
  int64_t count = 0;
  std::vector<std::string> words;  ///< in title, cause or fix
};

class TraceCases : public testing::TestWithParam<TraceCase> {};

TEST_P(TraceCases, GetTheRightAnswer) {
  const TraceCase& expected = GetParam();
  const trace::Result<analyzer::Run> run =
      loadRun(std::string(JITSCOPE_SOURCE_FOLDER "/tests/traces/import/") + expected.file);
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  std::string ids;
  for (const Finding& finding : analysis.findings) ids += finding.id + "\n";
  const auto found =
      std::find_if(analysis.findings.begin(), analysis.findings.end(),
                   [&](const Finding& finding) { return finding.id == expected.id; });
  ASSERT_NE(found, analysis.findings.end()) << ids;
  EXPECT_EQ(found->count(), expected.count);
  const std::string told =
      found->advice.title + "\n" + found->advice.cause + "\n" + found->advice.fix;
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << "\n" << told;
}

TEST(Verdict, OfATraceThatTellsNoCompilesSaysSoBesideWhatWasFound) {
  const auto run = loadRun(JITSCOPE_SOURCE_FOLDER "/tests/traces/import/inf_bandwidth.json");
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  EXPECT_FALSE(analysis.findings.empty());
  EXPECT_TRUE(analysis.verdict.ends_with(kCompilesUntold)) << analysis.verdict;
}

TEST(Verdict, OfCostsThatOverlapSaysSo) {
  const std::string verdict = analyze(runOf(R"(
frame frame=0 name="f" file="f.cpp" line=1
frame frame=1 name="g" file="g.cpp" line=1
compile frame=0 attempt=1 at=0us..900us thread=1
compile frame=1 attempt=1 at=0us..900us thread=2
)"))
                                  .verdict;
  EXPECT_NE(verdict.find("cost 1.80 ms in sum (900 µs recorded);"), std::string::npos) << verdict;
}

TEST(Verdict, OfAWorstFindingWithoutCostTellsNone) {
  const std::string verdict = analyze(runOf(R"(
frame frame=0 name="attend" file="attend.py" line=5
frame frame=1 name="mix" file="mix.py" line=9
call frame=0 at=300us..335us thread=1 outcome=limit
compile frame=1 attempt=1 at=400us..900us thread=1
artifact time_ns=310us kind="eager_fallback" name="attend"
)"))
                                  .verdict;
  EXPECT_NE(verdict.find("cost 500 µs of "), std::string::npos) << verdict;
  EXPECT_EQ(verdict.find("(0 ns)"), std::string::npos) << verdict;
}

TEST(Verdict, OfATraceThatTellsNoCompilesPraisesNothing) {
  const tests::TemporaryFolder folder;
  const auto verdictOf = [&](const char* events) {
    std::ofstream(folder / "trace.json") << "{\"traceEvents\": [" << events << "]}";
    const trace::Result<analyzer::Run> run = loadRun(folder / "trace.json");
    return run ? analyze(*run).verdict : run.error().text;
  };
  const std::string compiled = verdictOf(
      R"({"ph": "X", "cat": "cpu_op", "name": "Torch-Compiled Region: 0/0", "pid": 1, "tid": 1,
          "ts": 1, "dur": 5, "args": {}},
         {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 1,
          "args": {}})");
  const std::string eager = verdictOf(
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 1,
          "args": {}})");
  for (const std::string& verdict : {compiled, eager}) {
    EXPECT_EQ(verdict.find("Nothing"), std::string::npos) << verdict;
    EXPECT_NE(verdict.find("tell neither graph breaks nor recompiles"), std::string::npos)
        << verdict;
    EXPECT_NE(verdict.find("jitscope record"), std::string::npos) << verdict;
  }
  EXPECT_TRUE(compiled.starts_with("1 call of") || compiled.starts_with("1 run of")) << compiled;
  EXPECT_TRUE(eager.starts_with("No compiled callable among 1 operator and")) << eager;
}

/// The run of a Chrome trace with this text.
Run runOfTrace(const std::string& text) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "trace.json") << text;
  trace::Result<Run> run = loadRun(folder / "trace.json");
  if (run) return std::move(*run);
  ADD_FAILURE() << run.error().text;
  return {};
}

std::vector<std::string> findingIds(const Run& run) {
  std::vector<std::string> ids;
  for (const Finding& finding : analyze(run).findings) ids.push_back(finding.id);
  return ids;
}

TEST(ChromeTrace, TellsWhatTheProfilerSaidOfItself) {
  const analyzer::Run run = runOfTrace(
      R"json({"WARNING": ["function cbapi->getCuptiStatus() failed with error CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39)"],
          "INFO": ["Processed 7 GPU records", "Record counts: Out-of-range = 3, Blocklisted = 0"],
          "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1,
                           "ts": 1, "dur": 5, "args": {}}]})json");
  EXPECT_EQ(findingIds(run),
            (std::vector<std::string>{"recording/cupti_conflict", "recording/out_of_range"}));
}

TEST(ChromeTrace, OfTheProfilerBeforeKinetoSaysThatTheGpuIsMissing) {
  const analyzer::Run run = runOfTrace(
      R"([{"name": "aten::mm", "ph": "X", "ts": 10.5, "dur": 3, "tid": 1, "pid": "CPU Functions",
           "args": {}},
          {"name": "aten::add", "ph": "X", "ts": 15, "dur": 1, "tid": 1, "pid": "CPU functions",
           "args": {}}])");
  EXPECT_EQ(run.opCount(), 2U);
  EXPECT_EQ(findingIds(run), std::vector<std::string>{"recording/legacy_profiler"});
}

TEST(ChromeTrace, OfAProgramInCppIsTakenForOne) {
  const auto programOf = [](const char* name, const char* op) {
    const analyzer::Run run = runOfTrace(
        std::string(R"({"traceEvents": [{"ph": "M", "name": "process_name", "pid": 7, "tid": 0,
                                         "args": {"name": ")") +
        name + R"("}}, {"ph": "X", "cat": "cpu_op", "name": ")" + op +
        R"(", "pid": 7, "tid": 7, "ts": 1, "dur": 5, "args": {}}]})");
    return std::string(run.text(run.processes[ProcessIndex{0}].row.executable));
  };
  EXPECT_EQ(programOf("decode_service", "aten::mm"), "decode_service");
  EXPECT_EQ(programOf("python3", "aten::mm"), "python");
  EXPECT_EQ(programOf("pt_main_thread", "aten::mm"), "python");
  EXPECT_EQ(programOf("trainer", "ProfilerStep#3"), "python");
  EXPECT_EQ(programOf("rank 3", "aten::mm"), "python");
}

TEST(Report, OfPythonTellsHowToRunEagerlyInPython) {
  const analyzer::Run run = runOfTrace(
      R"({"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "tid": 0,
                           "args": {"name": "python3"}},
          {"ph": "X", "cat": "cpu_op", "name": "TorchDynamo Cache Lookup", "pid": 1, "tid": 1,
           "ts": 1, "dur": 2, "args": {}},
          {"ph": "X", "cat": "cpu_op", "name": "Torch-Compiled Region: 0/0", "pid": 1, "tid": 1,
           "ts": 4, "dur": 5, "args": {}}]})");
  const std::string text = renderReport(run, analyze(run), ReportFormat::kText);
  EXPECT_NE(text.find("torch.compiler.set_stance(\"force_eager\")"), std::string::npos) << text;
}

TEST(RecordingNotes, TellWhatATraceLacksAndWhatToRecord) {
  const std::string host = R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1,
                               "ts": 1, "dur": 5, "args": {}})";
  const std::string device = R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7,
                                 "ts": 2, "dur": 5, "args": {"correlation": 3}})";
  const std::string step = R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1",
                               "pid": 1, "tid": 1, "ts": 1, "dur": 9, "args": {}})";
  const auto notesOf = [](const std::string& events) {
    std::string all;
    for (const std::string& note :
         recordingNotes(runOfTrace("{\"traceEvents\": [" + events + "]}")))
      all += note + "\n";
    return all;
  };
  EXPECT_NE(notesOf(host).find("no GPU work is recorded"), std::string::npos) << notesOf(host);
  EXPECT_NE(notesOf(host + "," + device).find("marks no steps"), std::string::npos);
  EXPECT_EQ(notesOf(host + "," + device + "," + step), "");
  EXPECT_EQ(notesOf(""), "");
}

TEST(TellsCompiles, IsSoWhereOneOfTheFilesDoes) {
  const tests::TemporaryFolder folder;
  const auto isTold = [&] {
    const trace::Result<analyzer::Run> run = loadRun(folder.path());
    EXPECT_TRUE(run) << run.error().text;
    return run && tellsCompiles(*run);
  };
  const std::string source = JITSCOPE_SOURCE_FOLDER "/tests/traces/";
  std::filesystem::copy(source + "import/compiled_model.json.gz", folder / "trace.json.gz");
  EXPECT_FALSE(isTold()) << "a trace of a profiler";
  std::ofstream(folder / "notes.txt");
  EXPECT_FALSE(isTold()) << "and a file that is no trace";
  std::filesystem::copy(source + "tiny_v1.jitscope", folder / "run.jitscope");
  EXPECT_TRUE(isTold()) << "and a recording of ours";
}

INSTANTIATE_TEST_SUITE_P(
    Threads, TraceCases,
    testing::Values(
        TraceCase{"inf_bandwidth.json",
                  "recording/damaged_file/bare_words",
                  1,
                  {"not valid JSON", "not finite", "newer torch"}},
        TraceCase{
            "na_unquoted.json", "recording/damaged_file/bare_words", 1, {"N/A", "newer torch"}},
        TraceCase{"control_char.json",
                  "recording/damaged_file/control_characters",
                  3,
                  {"freed already", "newer torch", "with_stack"}},
        TraceCase{
            "windows_backslash.json", "recording/damaged_file/backslashes", 4, {"Windows paths"}},
        TraceCase{"negative_dur.json",
                  "recording/negative_duration",
                  1,
                  {"end stamp", "no span explodes"}},
        TraceCase{"negative_launch_latency.json",
                  "recording/clock_skew",
                  8,
                  {"median lead is 1.00 µs", "by its correlation"}},
        TraceCase{"no_correlation_amd.json", "recording/no_correlation", 2, {"External id"}},
        TraceCase{"trailing_comma_no_close.json",
                  "recording/damaged_file/not_closed",
                  1,
                  {"all events that are there were read"}}),
    [](const auto& info) { return info.param.file.substr(0, info.param.file.find('.')); });

}  // namespace
}  // namespace jitscope::analyzer
