#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analyzer/cli.h"
#include "analyzer/run.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

using Arguments = std::vector<std::string>;

struct Outcome {
  int status = -1;
  std::string output, errors;
};

Outcome run(int (*command)(std::span<const std::string>, std::ostream&, std::ostream&),
            const Arguments& arguments) {
  std::ostringstream output, errors;
  Outcome outcome;
  outcome.status = command(arguments, output, errors);
  outcome.output = output.str();
  outcome.errors = errors.str();
  return outcome;
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::string_view kDeviceRows = R"(
process pid=10 rank=0 world_size=1
device  device=0 name="H" memory_bytes=1000 multiprocessors=132 compute_major=9
thread  thread=1 name="main, \"first\""
frame   frame=0 name="step" file="step.py" line=3
call    frame=0 attempt=0 at=1000us..1100us thread=1 outcome=hit guard_ns=5us
region  frame=0 attempt=0 segment=0 at=1010us..1090us thread=1 graph="abc"
op      at=1020us..1030us thread=1 name="aten::mm" shapes="[4, 16], [16, 16]" sequence=7
api     at=1022us..1023us thread=1 correlation=5 name="cudaLaunchKernel"
kernel  at=1040us..1051us device=0 stream=7 correlation=5 name="gemm" launch="grid 4x1x1 block 256x1x1 shared 0+0 registers 32"
memcpy  at=1060us..1062us device=0 stream=7 correlation=6 kind=1 bytes=4096
memset  at=1063us..1064us device=0 stream=7 correlation=7 bytes=64
sync    at=1065us..1070us device=0 stream=7 correlation=8 kind="stream"
graph_break frame=0 attempt=0 at=1071us..1072us thread=1 is_first=1 reason="a \"reason\"" stack="/a.py:3 step"
)";

class RunCommands : public testing::Test {
 protected:
  void SetUp() override { tests::writeTrace(trace_, kDeviceRows); }

  std::map<std::string, size_t> countsOf(const std::filesystem::path& path) const {
    const trace::Result<analyzer::Run> loaded = loadRun(path);
    if (!loaded) {
      ADD_FAILURE() << loaded.error().text;
      return {};
    }
    const Process& process = loaded->processes[ProcessIndex{0}];
    return {{"op", loaded->opCount()},
            {"kernel", loaded->kernelCount()},
            {"region", loaded->regions.size()},
            {"call", loaded->calls.size()},
            {"api", process.file->rowCount(trace::TableId::kApi)},
            {"memcpy", process.file->rowCount(trace::TableId::kMemcpy)},
            {"memset", process.file->rowCount(trace::TableId::kMemset)},
            {"sync", process.file->rowCount(trace::TableId::kSync)},
            {"thread", process.file->rowCount(trace::TableId::kThread)},
            {"device", process.file->rowCount(trace::TableId::kDevice)}};
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path trace_ = folder_ / "run.jitscope";
};

TEST_F(RunCommands, ExportsChromeThatReadsBackTheSame) {
  for (const char* name : {"run.json", "run.json.gz"}) {
    const std::filesystem::path target = folder_ / name;
    const Outcome outcome =
        run(exportCommand, {trace_.string(), "--to", "chrome", "-o", target.string()});
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(countsOf(target), countsOf(trace_));
  }
  const nlohmann::json json = nlohmann::json::parse(contentOf(folder_ / "run.json"));
  EXPECT_EQ(json["distributedInfo"]["rank"], 0);
  std::map<std::string, int> phases;
  for (const nlohmann::json& event : json["traceEvents"]) {
    ++phases[event["ph"].get<std::string>()];
    if (event.value("name", "") != "gemm") continue;
    EXPECT_EQ(event["ts"], 40.0);
    EXPECT_EQ(event["dur"], 11.0);
    EXPECT_EQ(event["args"]["grid"], nlohmann::json({4, 1, 1}));
    EXPECT_EQ(event["args"]["correlation"], 5);
  }
  EXPECT_EQ(phases["s"], 1);
  EXPECT_EQ(contentOf(folder_ / "run.json.gz").substr(0, 2), "\x1f\x8b");
}

TEST_F(RunCommands, ExportsATableAFileAsCsv) {
  const std::filesystem::path target = folder_ / "csv";
  const Outcome outcome =
      run(exportCommand, {trace_.string(), "--to", "csv", "-o", target.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(contentOf(target / "thread.csv"), "process,thread,name\n0,1,\"main, \"\"first\"\"\"\n");
  EXPECT_FALSE(std::filesystem::exists(target / "counter.csv"));
  const Outcome again = run(exportCommand, {trace_.string(), "--to", "csv", "-o", target.string()});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.errors.find("is there already"), std::string::npos);
}

TEST_F(RunCommands, ExportsADatabaseThatAnswers) {
  const std::filesystem::path target = folder_ / "run.db";
  const Outcome outcome =
      run(exportCommand, {trace_.string(), "--to", "sqlite", "-o", target.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(contentOf(target).substr(0, 15), "SQLite format 3");
}

TEST_F(RunCommands, ExportNeedsAFormatAndATarget) {
  EXPECT_EQ(run(exportCommand, {trace_.string(), "-o", "x"}).status, 2);
  EXPECT_EQ(run(exportCommand, {trace_.string(), "--to", "chrome"}).status, 2);
  const Outcome outcome = run(exportCommand, {trace_.string(), "--to", "chrme", "-o", "x"});
  EXPECT_NE(outcome.errors.find("did you mean 'chrome'"), std::string::npos) << outcome.errors;
  const Outcome over =
      run(exportCommand, {trace_.string(), "--to", "chrome", "-o", trace_.string()});
  EXPECT_EQ(over.status, 2);
  EXPECT_NE(over.errors.find("is the recording itself"), std::string::npos);
}

TEST_F(RunCommands, QueryAnswersInThreeForms) {
  const std::string sql =
      "SELECT p.rank, k.name, k.end_ns - k.start_ns AS ns FROM kernel k JOIN process p USING "
      "(process)";
  const Outcome table = run(queryCommand, {trace_.string(), sql});
  EXPECT_EQ(table.status, 0) << table.errors;
  EXPECT_EQ(table.output, "  rank  name     ns\n     0  gemm  11000\n");
  EXPECT_EQ(run(queryCommand, {trace_.string(), sql, "--format", "csv"}).output,
            "rank,name,ns\n0,gemm,11000\n");
  const nlohmann::json json =
      nlohmann::json::parse(run(queryCommand, {trace_.string(), sql, "--format=json"}).output);
  EXPECT_EQ(json, nlohmann::json::parse(R"([{"rank": 0, "name": "gemm", "ns": 11000}])"));
}

TEST_F(RunCommands, ExportsProcessesWhoseDevicesAndCorrelationsDoNotMix) {
  const std::filesystem::path folder = folder_ / "ranks";
  std::filesystem::create_directory(folder);
  for (const char* pid : {"10", "11"}) {
    tests::writeTrace(folder / (std::string(pid) + ".jitscope"),
                      "process pid=" + std::string(pid) + R"(
api     at=22us..23us thread=1 correlation=5 name="cudaLaunchKernel"
kernel  at=40us..51us device=0 stream=7 correlation=5 name="gemm"
memcpy  at=60us..62us device=0 stream=7 correlation=6 kind=1 bytes=4096
memset  at=63us..64us device=1 stream=7 correlation=7 bytes=64
sync    at=65us..70us device=0 stream=7 correlation=8 kind="stream"
)");
  }
  const std::filesystem::path target = folder_ / "ranks.json";
  ASSERT_EQ(run(exportCommand, {folder.string(), "--to", "chrome", "-o", target.string()}).status,
            0);
  const nlohmann::json json = nlohmann::json::parse(contentOf(target));
  std::map<int64_t, std::string> tracks;
  std::map<int64_t, std::set<int64_t>> hosts, arrows;  // by correlation, by arrow
  std::multiset<int64_t> ofDevices;
  for (const nlohmann::json& event : json["traceEvents"]) {
    const auto pid = event["pid"].get<int64_t>();
    const std::string category = event.value("cat", "");
    if (event.value("name", "") == "process_name") tracks[pid] = event["args"]["name"];
    if (category == "ac2g") arrows[event["id"]].insert(pid);
    if (category == "cuda_runtime") hosts[event["args"]["correlation"]].insert(pid);
    if (category == "kernel") hosts[event["args"]["correlation"]].insert(pid);
    if (category.starts_with("gpu_") || category == "kernel" || category == "cuda_sync")
      ofDevices.insert(pid);
  }
  EXPECT_EQ(hosts.size(), 2U);
  for (const auto& [id, ends] : hosts) EXPECT_EQ(arrows[id], ends) << id;
  EXPECT_EQ(arrows.size(), 6U);  // to three works of each process
  std::multiset<std::string> names;
  for (const int64_t pid : ofDevices) names.insert(tracks[pid]);
  EXPECT_EQ(names, (std::multiset<std::string>{"GPU 0 of process 10", "GPU 0 of process 10",
                                               "GPU 0 of process 10", "GPU 0 of process 11",
                                               "GPU 0 of process 11", "GPU 0 of process 11",
                                               "GPU 1 of process 10", "GPU 1 of process 11"}));
}

TEST_F(RunCommands, QueryKeepsColumnsOfTheSameName) {
  const Outcome outcome =
      run(queryCommand,
          {trace_.string(), "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a, 5 AS b", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.output),
            nlohmann::json::parse(R"([{"a": 1, "a_3": 2, "a_2": 3, "a_4": 4, "b": 5}])"))
      << outcome.output;
}

TEST_F(RunCommands, QueryTakesWhatIsNoStatementBehindOne) {
  for (const char* end : {"", ";", "; -- hi", "; /* a */ ; -- b", " ;\n\t;"}) {
    const Outcome outcome =
        run(queryCommand, {trace_.string(), std::string("SELECT 1 AS x") + end, "--format=csv"});
    EXPECT_EQ(outcome.output, "x\n1\n") << end << outcome.errors;
  }
  for (const char* end : {"; SELECT 2", "; -- hi\nSELECT 2", ";; DELETE FROM finding", "; what"}) {
    const Outcome outcome = run(queryCommand, {trace_.string(), std::string("SELECT 1") + end});
    EXPECT_EQ(outcome.status, 2) << end;
    EXPECT_NE(outcome.errors.find("one statement only"), std::string::npos) << outcome.errors;
  }
}

TEST_F(RunCommands, QueryNamesTheTablesThatThereAre) {
  const Outcome absent = run(queryCommand, {trace_.string(), "SELECT * FROM kernels"});
  const Outcome help = run(queryCommand, {"--help"});
  for (const char* table : {"finding", "kernel", "graph_break", "guard_failure", "process"}) {
    EXPECT_NE(absent.errors.find(table), std::string::npos) << absent.errors;
    EXPECT_NE(help.output.find(table), std::string::npos) << help.output;
  }
}

TEST_F(RunCommands, DiffTakesAFrameThatOnlyOneRunHas) {
  const std::filesystem::path other = folder_ / "other.jitscope";
  tests::writeTrace(other, R"(
process pid=10
frame   frame=0 name="decode" file="step.py" line=3
call    frame=0 attempt=0 at=1000us..1100us thread=1 outcome=hit
)");
  for (const char* frame : {"step", "decode"}) {
    const Outcome outcome = run(diffCommand, {trace_.string(), other.string(), "--frame", frame});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  }
  const Outcome neither = run(diffCommand, {trace_.string(), other.string(), "--frame", "decod"});
  EXPECT_EQ(neither.status, 3);
  EXPECT_NE(neither.errors.find("did you mean 'decode'"), std::string::npos) << neither.errors;
}

TEST_F(RunCommands, QueryKnowsTheFindings) {
  const Outcome outcome =
      run(queryCommand,
          {trace_.string(), "SELECT count FROM finding WHERE kind = 'graph_break' AND line = 3",
           "--format", "csv"});
  EXPECT_EQ(outcome.output, "count\n1\n") << outcome.errors;
}

TEST_F(RunCommands, QueryRefusesWhatIsNoReading) {
  for (const char* sql :
       {"CREATE TABLE x (y)", "DELETE FROM finding", "ATTACH 'x.db' AS x", "PRAGMA journal_mode",
        "SELECT load_extension('x')", "SELECT 1; SELECT 2", "SELECT nothing FROM kernel", "what"}) {
    const Outcome outcome = run(queryCommand, {trace_.string(), sql});
    EXPECT_EQ(outcome.status, 2) << sql;
    EXPECT_EQ(outcome.output, "") << sql;
    EXPECT_FALSE(outcome.errors.empty()) << sql;
  }
}

TEST_F(RunCommands, DiffTakesTwoRuns) {
  const Outcome outcome = run(diffCommand, {trace_.string(), trace_.string()});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("No difference"), std::string::npos) << outcome.output;
  EXPECT_EQ(run(diffCommand, {trace_.string()}).status, 2);
  EXPECT_EQ(run(diffCommand, {trace_.string(), trace_.string(), "c"}).status, 2);
  EXPECT_EQ(run(diffCommand, {trace_.string(), "absent"}).status, 3);
  const Outcome format = run(diffCommand, {trace_.string(), trace_.string(), "--format", "jsn"});
  EXPECT_NE(format.errors.find("did you mean 'json'"), std::string::npos) << format.errors;
}

TEST_F(RunCommands, FiltersAreTakenByAll) {
  const Outcome report = run(reportCommand, {trace_.string(), "--since", "20us", "--format=json"});
  EXPECT_EQ(nlohmann::json::parse(report.output)["run"]["calls"], 0);
  EXPECT_EQ(run(reportCommand, {trace_.string(), "--rank", "3"}).status, 3);
  EXPECT_EQ(run(reportCommand, {trace_.string(), "--frame", "stp"}).status, 3);
  const Outcome meant = run(reportCommand, {trace_.string(), "--frame", "stp"});
  EXPECT_NE(meant.errors.find("did you mean 'step'"), std::string::npos) << meant.errors;
  for (const Arguments& wrong : {Arguments{"--rank", "x"}, Arguments{"--since", "4"},
                                 Arguments{"--most-unpacked", "4 X"}, Arguments{"--top", "0"}}) {
    Arguments arguments{trace_.string()};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(run(reportCommand, arguments).status, 2) << wrong[0];
  }
}

TEST_F(RunCommands, CheckOptionsAreKnownToRecord) {
  EXPECT_EQ(checkOptionTakesValue("--limit"), true);
  EXPECT_EQ(checkOptionTakesValue("--github"), false);
  EXPECT_EQ(checkOptionTakesValue("-o"), std::nullopt);
  EXPECT_EQ(checkOptionTakesValue("--help"), std::nullopt);
}

}  // namespace
}  // namespace jitscope::analyzer
