#include "analyzer/export/chrome_export.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/run.h"
#include "tests/analyzer/device_rows.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

/// Rows of the tables that Chrome's format has no form for, or not for all of their columns.
constexpr std::string_view kOwnRows = R"(
frame frame=1 name="other" file="other.py" line=9 backend="inductor"
compile frame=0 attempt=0 at=900us..990us thread=1 trigger="first \"call\"" capture_ns=500
compile frame=1 attempt=1 at=2000us..2500us thread=1 trigger="size" failure="BackendError: x"
guard frame=0 attempt=0 index=0 kind="TENSOR_MATCH" source="L['x']" expression="x is y"
guard_failure frame=0 attempt=0 time_ns=2ms thread=1 caused=1 kind="TENSOR_MATCH" source="L['x']" expected="4" actual="8" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 8" cause="size" stack="/a.py:9 main"
compile frame=0 attempt=1 at=2000us..2100us thread=1 is_dynamic=1 stack="/a.py:9 main"
call frame=0 attempt=1 at=1999us..2200us thread=1 outcome=compiled
call frame=0 attempt=0 at=2300us..2400us thread=1 outcome=eager
call frame=1 attempt=0 at=2500us..2600us thread=1 outcome=limit
specialization frame=0 attempt=0 time_ns=950us source="L['x'].size()[0]" value=4 reason="read" stack="/a.py:3 step"
artifact frame=0 attempt=0 time_ns=960us kind="graph_code" name="g" content="def f(x):\n  return x"
counter at=1000us..1001us device=0 metric="dram_read_bytes" value=1.5
graph_launch at=1100us..1110us device=0 stream=7 correlation=9 graph=3 node_count=2
graph_node node=5 time_ns=980us thread=1
recorded_window window=1 at=10us..2700us reason="recompile" trigger_ns=2ms triggers=1
)";

class ChromeExport : public testing::Test {
 protected:
  using Command = int (*)(std::span<const std::string>, std::ostream&, std::ostream&);

  struct Answer {
    int status = -1;
    std::string output, errors;
  };

  void SetUp() override { tests::writeTrace(trace_, kDeviceRows); }

  static Answer run(Command command, const std::vector<std::string>& arguments) {
    std::ostringstream output, errors;
    const int status = command(arguments, output, errors);
    return {status, output.str(), errors.str()};
  }

  static std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

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

TEST_F(ChromeExport, ReadsBackTheSamePlainAndPacked) {
  for (const char* name : {"run.json", "run.json.gz"}) {
    const std::filesystem::path target = folder_ / name;
    const Answer outcome =
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

TEST_F(ChromeExport, GivesTimesTheFractionsThatTheyHaveSinceTheEpoch) {
  const std::filesystem::path odd = folder_ / "odd.jitscope", target = folder_ / "odd.json";
  tests::writeTrace(odd, "op at=5250ns..6500ns thread=1 name=\"aten::mm\"\n");
  ASSERT_EQ(run(exportCommand, {odd.string(), "--to", "chrome", "-o", target.string()}).status, 0);
  const nlohmann::json json = nlohmann::json::parse(contentOf(target));
  EXPECT_EQ(json["baseTimeNanoseconds"], 5000);
  for (const nlohmann::json& event : json["traceEvents"]) {
    if (event.value("name", "") != "aten::mm") continue;
    EXPECT_EQ(event["ts"], 0.25);
    EXPECT_EQ(event["dur"], 1.25);
  }
}

TEST_F(ChromeExport, BringsBackTheRowsOfEveryTable) {
  const std::filesystem::path before = folder_ / "all.jitscope", after = folder_ / "all.json";
  tests::writeTrace(before, std::string(kDeviceRows) + std::string(kOwnRows));
  ASSERT_EQ(run(exportCommand, {before.string(), "--to", "chrome", "-o", after.string()}).status,
            0);
  const trace::Result<analyzer::Run> old = loadRun(before), now = loadRun(after);
  ASSERT_TRUE(old && now);
  for (const trace::TableDescription& table : trace::knownTables()) {
    if (table.id == trace::TableId::kLoss) continue;
    const auto rowsOf = [&](const analyzer::Run& each) {
      return each.processes[ProcessIndex{0}].file->rowCount(table.id);
    };
    EXPECT_EQ(rowsOf(*now), rowsOf(*old)) << table.name;
    EXPECT_GT(rowsOf(*old), 0U) << table.name;
  }
  std::vector<std::string> findings[2];
  for (const Finding& each : analyze(*old).findings) findings[0].push_back(each.id);
  for (const Finding& each : analyze(*now).findings) findings[1].push_back(each.id);
  EXPECT_EQ(findings[0], findings[1]);
  for (const char* const sql :
       {"SELECT frame, start_ns, end_ns, trigger, capture_ns FROM compile ORDER BY start_ns, frame",
        "SELECT start_ns, end_ns, reason, trigger_ns, triggers FROM recorded_window"}) {
    EXPECT_EQ(run(queryCommand, {after.string(), sql, "--format", "csv"}).output,
              run(queryCommand, {before.string(), sql, "--format", "csv"}).output);
  }
}

TEST_F(ChromeExport, StepsOverOwnRowsThatCannotBeRead) {
  const std::filesystem::path path = folder_ / "odd.json";
  std::ofstream(path) << R"({"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 2},
{"ph": "M", "name": "jitscope_row", "args": {"table": "call", "cells": "none"}},
{"ph": "M", "name": "jitscope_row", "args": {"table": "nothing", "cells": [1]}},
{"ph": "M", "name": "jitscope_row", "args": {}},
{"ph": "M", "name": "jitscope_row"},
{"ph": "M", "name": "jitscope_row", "args": {"table": "guard", "cells": ["x", {}, 1.5, 5]}},
{"ph": "M", "name": "jitscope_row", "args": {"table": "guard", "cells": []}}]})";
  const Answer outcome = run(reportCommand, {path.string(), "--format", "json"});
  const nlohmann::json losses = nlohmann::json::parse(outcome.output)["input"]["losses"];
  ASSERT_EQ(losses.size(), 1U) << losses;
  EXPECT_EQ(losses[0]["amount"], 4);
  EXPECT_EQ(run(queryCommand, {path.string(), "SELECT count(*) FROM guard", "--format=csv"}).output,
            "count(*)\n2\n");
}

TEST_F(ChromeExport, SaysWhatOthersDoNotSee) {
  const std::filesystem::path full = folder_ / "full.jitscope", plain = folder_ / "plain.jitscope";
  tests::writeTrace(full, std::string(kDeviceRows) + R"(
guard frame=0 attempt=0 index=0 kind="TENSOR_MATCH"
guard frame=0 attempt=0 index=1 kind="TENSOR_MATCH"
artifact frame=0 attempt=0 kind="graph_code" name="g" content="x"
op at=90us..80us thread=1 name="aten::backwards"
)");
  tests::writeTrace(plain, "op at=1us..2us thread=1 name=\"aten::mm\"\n");
  const auto exported = [&](const std::filesystem::path& from, const char* format) {
    const std::filesystem::path target = folder_ / (std::string("out.") + format);
    std::filesystem::remove_all(target);
    const Answer outcome =
        run(exportCommand, {from.string(), "--to", format, "-o", target.string()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.errors;
  };
  EXPECT_EQ(exported(full, "chrome"),
            (folder_ / "out.chrome").string() +
                ": chrome has no place for 1 frame, 2 guard, 1 artifact, 1 op (a time that cannot "
                "be right); --to sqlite and csv keep all\n");
  for (const char* format : {"csv", "sqlite"}) EXPECT_EQ(exported(full, format), "") << format;
  EXPECT_EQ(exported(plain, "chrome"), "");
}

TEST_F(ChromeExport, KeepsProcessesApartWhoseDevicesAndCorrelationsDoNotMix) {
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

}  // namespace
}  // namespace jitscope::analyzer
