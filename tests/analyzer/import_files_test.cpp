#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "analyzer/run.h"
#include "tests/analyzer/packing.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

std::filesystem::path fileNamed(const std::string& name) {
  return std::filesystem::path(JITSCOPE_SOURCE_FOLDER "/tests/traces/import") / name;
}

struct ImportCase {
  std::string file;
  std::map<std::string, double> counts;
  std::string loss;  ///< words of what must be told; empty: nothing
};

class ImportFiles : public testing::TestWithParam<ImportCase> {};

TEST_P(ImportFiles, HoldTheirCountsAndTellTheirLosses) {
  const trace::Result<analyzer::Run> run = loadRun(fileNamed(GetParam().file));
  ASSERT_TRUE(run) << run.error().text;
  const Input& input = run->inputs.front();
  EXPECT_EQ(input.format, "Chrome trace");
  for (const auto& wanted : GetParam().counts) {
    const auto found =
        std::find_if(input.counts.begin(), input.counts.end(),
                     [&](const InputCount& count) { return count.name == wanted.first; });
    ASSERT_NE(found, input.counts.end()) << wanted.first;
    const double amount =
        std::visit([](auto value) { return static_cast<double>(value); }, found->amount);
    EXPECT_NEAR(amount, wanted.second, 0.05) << wanted.first;
  }
  std::string told;
  for (const InputLoss& loss : input.losses) told += loss.text + "\n";
  if (GetParam().loss.empty()) {
    EXPECT_EQ(told, "");
  } else {
    EXPECT_NE(told.find(GetParam().loss), std::string::npos) << told;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kineto, ImportFiles,
    testing::Values(
        ImportCase{"compiled_model.json.gz",
                   {{"ev", 846},
                    {"kern", 114},
                    {"kern_us", 1291.7},
                    {"compiled_regions", 3},
                    {"triton", 39},
                    {"gpu_memset", 15},
                    {"corr_unmatched", 0}},
                   ""},
        ImportCase{"replayed_graph.json.gz",
                   {{"ev", 369},
                    {"kern", 117},
                    {"kern_us", 1280.0},
                    {"compiled_regions", 3},
                    {"triton", 39},
                    {"graphlaunch", 3},
                    {"same_stream_overlaps", 0}},
                   ""},
        ImportCase{"generated_kernel.json.gz",
                   {{"ev", 71}, {"kern", 1}, {"kern_us", 1.8}, {"flow", 3}, {"steps", 1}},
                   ""},
        ImportCase{"inf_bandwidth.json", {{"kern", 1}, {"gpu_memcpy", 1}}, "bare words"},
        ImportCase{"nan_infinity.json", {{"kern", 1}, {"kern_us", 3}}, "bare words"},
        ImportCase{"na_unquoted.json", {{"kern", 1}, {"kern_us", 3}}, "bare words"},
        ImportCase{"control_char.json", {{"ev", 2}}, "control characters"},
        ImportCase{"windows_backslash.json", {{"ev", 2}}, "backslashes"},
        ImportCase{"negative_dur.json", {{"kern", 2}, {"neg_dur", 1}}, "negative duration"},
        ImportCase{"negative_launch_latency.json", {{"kern", 8}, {"neg_launch_latency", 8}}, ""},
        ImportCase{"int_over_int64.json", {{"ev", 1}, {"kern", 1}, {"kern_us", 3}}, ""},
        ImportCase{"string_ts_bigflow.json", {{"ev", 3}, {"str_ts", 3}, {"flow", 1}}, ""},
        ImportCase{"trailing_empty_event.json", {{"ev", 3}, {"kern", 1}}, ""},
        ImportCase{"trailing_comma_no_close.json", {{"ev", 2}, {"kern", 1}}, "closing brackets"},
        ImportCase{"no_correlation_amd.json", {{"kern", 1}, {"no_corr", 2}}, ""}),
    [](const auto& info) { return info.param.file.substr(0, info.param.file.find('.')); });

TEST(ImportedFiles, JoinKernelsWithoutCorrelationToTheirOperators) {
  const trace::Result<analyzer::Run> run = loadRun(fileNamed("no_correlation_amd.json"));
  ASSERT_TRUE(run);
  const Process& process = run->processes[ProcessIndex{0}];
  ASSERT_EQ(process.kernelOps.size(), 1U);
  ASSERT_TRUE(exists(process.kernelOps[0]));
  const size_t op = position(process.kernelOps[0]);
  EXPECT_EQ(run->text(process.ops.get<&trace::OpRow::name>(op)), "aten::mm");
}

TEST(ImportedFiles, TellCallsRegionsAndReplays) {
  const trace::Result<analyzer::Run> run = loadRun(fileNamed("replayed_graph.json.gz"));
  ASSERT_TRUE(run);
  ASSERT_EQ(run->regions.size(), 3U);
  ASSERT_EQ(run->calls.size(), 3U);
  for (const Region& region : run->regions) {
    EXPECT_EQ(region.frame, trace::FrameId{0});
    EXPECT_EQ(region.attempt, trace::AttemptId{0});
    EXPECT_EQ(region.origin, trace::Origin::kCompiled);
    EXPECT_TRUE(run->text(region.graph).starts_with("fyp2swkhtxs7"));
    EXPECT_TRUE(exists(region.call));
  }
  EXPECT_GT(run->calls[CallIndex{0}].guardNs, 0);
  const Process& process = run->processes[ProcessIndex{0}];
  const auto launches = process.rows<trace::GraphLaunchRow>();
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[0].nodeCount, 38);
  const auto devices = process.rows<trace::DeviceRow>();
  ASSERT_FALSE(devices.empty());
  EXPECT_NE(run->text(devices[0].name).find("H200"), std::string_view::npos);
}

struct EndCase {
  std::string content;
  int64_t events;
  InputLossKind kind;
  std::string loss;
};

TEST(ImportedFiles, SayHowTheyEnd) {
  const std::string event = R"({"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1, "dur": 2})";
  const std::string object = "{\"traceEvents\": [" + event + "]}";
  const std::string packed = gzipped(object);
  const std::vector<EndCase> cases{
      {object + "\n" + object, 2, InputLossKind::kRepaired, "a further object behind the first"},
      {object + object + object, 3, InputLossKind::kRepaired, "a further object behind the first"},
      {object + " [1]", 1, InputLossKind::kForeign, "something behind its end"},
      {"[" + event + "], 3", 1, InputLossKind::kForeign, "something behind its end"},
      {object + object.substr(0, 40), 1, InputLossKind::kCut, "ends in the midst of an event"},
      {"{\"traceEvents\": [" + event + ", [[[", 1, InputLossKind::kCut,
       "ends in the midst of an event"},
      {packed.substr(0, packed.size() - 8), 1, InputLossKind::kRepaired, "gzip: cut short"},
      {packed.substr(0, packed.size() - 8) + "12345678", 1, InputLossKind::kRepaired,
       "gzip: incorrect data check"}};
  for (const EndCase& each : cases) {
    SCOPED_TRACE(each.content);
    const tests::TemporaryFolder folder;
    std::ofstream(folder / "trace", std::ios::binary) << each.content;
    const trace::Result<analyzer::Run> run = loadRun(folder / "trace");
    ASSERT_TRUE(run) << run.error().text;
    const Input& input = run->inputs.front();
    EXPECT_EQ(std::get<int64_t>(input.counts.front().amount), each.events);
    const bool isTold = std::any_of(
        input.losses.begin(), input.losses.end(),
        [&](const InputLoss& loss) { return loss.kind == each.kind && loss.text == each.loss; });
    EXPECT_TRUE(isTold) << each.loss;
  }
}

}  // namespace
}  // namespace jitscope::analyzer
