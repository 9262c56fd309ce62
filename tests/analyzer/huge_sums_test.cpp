#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/diff.h"
#include "analyzer/export/export_run.h"
#include "analyzer/gate/measures.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/parquet/plugin.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "analyzer/sum.h"
#include "tests/support/temporary_folder.h"
#include "trace/process_counters.h"
#include "trace/writer.h"

namespace jitscope::analyzer {
namespace {

using trace::AttemptId, trace::CorrelationId, trace::FrameId;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kRows = 4'000;    // of the longest duration, more than 64 bits can add
constexpr int64_t kPerRow = 1'300;  // side by side before a device or thread starts anew

/// When the row of that number starts: one lasts as long as any may, then nothing does.
int64_t startOf(int64_t number) { return number % kPerRow * 2 * kLongestNs; }
int64_t endOf(int64_t number) { return startOf(number) + kLongestNs; }
int64_t trackOf(int64_t number) { return number / kPerRow; }

void writeKernels(trace::EventSink& sink) {
  const trace::StringId names[] = {sink.intern("at::native::vectorized_elementwise_kernel"),
                                   sink.intern("triton_poi_fused_add_0"),
                                   sink.intern("ncclDevKernel_AllReduce")};
  const trace::StringId launch = sink.intern("cudaLaunchKernel"), op = sink.intern("aten::add");
  for (int64_t i = 0; i < kRows; ++i) {
    const int64_t launchNs = std::max<int64_t>(0, startOf(i) - kLongestNs / 2);
    trace::emit(sink, trace::ApiRow{.startNs = launchNs,
                                    .endNs = launchNs + 1,
                                    .thread = 1,
                                    .correlation = CorrelationId{i + 1},
                                    .name = launch});
    trace::emit(sink,
                trace::OpRow{.startNs = launchNs, .endNs = launchNs + 2, .thread = 1, .name = op});
    trace::emit(sink, trace::KernelRow{.startNs = startOf(i),
                                       .endNs = endOf(i),
                                       .device = trackOf(i),
                                       .correlation = CorrelationId{i + 1},
                                       .name = names[i % 3],
                                       .origin = trace::Origin::kEager,
                                       .bytesRead = kMost,
                                       .bytesWritten = kMost,
                                       .modelledBytes = i % 2 == 0 ? kMost : 1});
  }
}

/// Waits after which the host was late, on one stream whose work overlaps.
void writeWaits(trace::EventSink& sink) {
  const trace::StringId wait = sink.intern("cudaStreamSynchronize"), launch = sink.intern("Launch");
  const trace::StringId kernel = sink.intern("kernel"), op = sink.intern("aten::item");
  for (int64_t i = 0; i < kRows; ++i) {
    const auto id = CorrelationId{i + 1};
    trace::emit(
        sink, trace::OpRow{.startNs = startOf(i), .endNs = endOf(i) + 9, .thread = 1, .name = op});
    trace::emit(sink, trace::ApiRow{
                          .startNs = startOf(i), .endNs = endOf(i) + 8, .thread = 1, .name = wait});
    trace::emit(sink, trace::ApiRow{.startNs = endOf(i) + 10,
                                    .endNs = endOf(i) + 11,
                                    .thread = 1,
                                    .correlation = id,
                                    .name = launch});
    trace::emit(sink, trace::KernelRow{.startNs = startOf(i + 1),
                                       .endNs = endOf(i + 1),
                                       .device = trackOf(i),
                                       .correlation = id,
                                       .name = kernel});
    trace::emit(sink, trace::MemcpyRow{.startNs = startOf(i + 1),
                                       .endNs = endOf(i + 1),
                                       .device = trackOf(i),
                                       .correlation = id,
                                       .bytes = kMost});
    trace::emit(sink, trace::GraphLaunchRow{.startNs = startOf(i), .endNs = endOf(i)});
  }
}

void writeCalls(trace::EventSink& sink) {
  using trace::CallOutcome;
  constexpr CallOutcome kOutcomes[] = {CallOutcome::kHit, CallOutcome::kForcedEager,
                                       CallOutcome::kLimit, CallOutcome::kCompiled,
                                       CallOutcome::kFailed};
  const trace::StringId op = sink.intern("aten::mm");
  for (int64_t i = 0; i < 5 * kRows; ++i) {
    const int64_t call = i / 5, thread = trackOf(call) * 5 + i % 5;
    trace::emit(sink, trace::CallRow{.frame = FrameId{i % 2},
                                     .attempt = AttemptId{0},
                                     .startNs = startOf(call),
                                     .endNs = i % 5 == 1 ? startOf(call) + 1 : endOf(call),
                                     .thread = thread,
                                     .outcome = kOutcomes[i % 5],
                                     .guardNs = kMost,
                                     .divergences = i % 10 == 0 ? kMost : 0});
    trace::emit(
        sink,
        trace::OpRow{.startNs = startOf(call), .endNs = endOf(call), .thread = thread, .name = op});
  }
}

void writeCompiles(trace::EventSink& sink) {
  const trace::StringId failure = sink.intern("Unsupported: it");
  for (int64_t i = 0; i < kRows; ++i) {
    trace::emit(sink, trace::CompileRow{.frame = FrameId{i % 3},
                                        .attempt = AttemptId{i % 3},
                                        .startNs = startOf(i),
                                        .endNs = endOf(i),
                                        .thread = trackOf(i),
                                        .captureNs = kMost,
                                        .guardsNs = kMost,
                                        .aotNs = kMost,
                                        .codegenNs = kMost,
                                        .backendNs = kMost,
                                        .cache = i % 2 == 0 ? trace::CacheState::kMiss
                                                            : trace::CacheState::kBypass,
                                        .failure = i % 5 == 4 ? failure : trace::StringId{},
                                        .graphCount = kMost,
                                        .breakCount = kMost,
                                        .opCount = kMost,
                                        .kernelCount = kMost,
                                        .guardCount = kMost});
  }
}

void writeBreaks(trace::EventSink& sink) {
  const trace::StringId reason = sink.intern("Tensor.item() call");
  for (int64_t i = 0; i < kRows; ++i) {
    trace::emit(sink, trace::GraphBreakRow{.frame = FrameId{0},
                                           .startNs = startOf(i),
                                           .endNs = endOf(i),
                                           .thread = trackOf(i),
                                           .reason = reason});
  }
}

/// Regions in calls in calls, three deep.
void writeRegions(trace::EventSink& sink) {
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t depth = 0; depth < 3; ++depth) {
      trace::emit(sink, trace::CallRow{.frame = FrameId{depth},
                                       .attempt = AttemptId{0},
                                       .startNs = startOf(i) + depth,
                                       .endNs = endOf(i) - depth,
                                       .thread = trackOf(i),
                                       .depth = depth});
    }
    trace::emit(sink, trace::RegionRow{.frame = FrameId{2},
                                       .attempt = AttemptId{0},
                                       .startNs = startOf(i) + 3,
                                       .endNs = endOf(i) - 3,
                                       .thread = trackOf(i),
                                       .opCount = kMost});
  }
}

void writeLosses(trace::EventSink& sink) {
  for (int64_t i = 0; i < kRows; ++i) {
    trace::emit(sink, trace::LossRow{.kind = trace::LossKind::kDropped,
                                     .place = sink.intern(fmt::format("place {}", i)),
                                     .amount = kMost});
  }
}

/// Batches of servers with numbers that no server has.
void writeBatches(trace::EventSink& sink) {
  for (const char* batch :
       {"-9223372036854775807 9 1 FULL", "1 9223372036854775807 9223372036854775807 FULL",
        "9 1 9223372036854775807 FULL", "7 8 -9223372036854775808 FULL"}) {
    trace::emit(sink,
                trace::ArtifactRow{.kind = sink.intern("graph_runs"), .name = sink.intern(batch)});
  }
  trace::emit(sink, trace::ArtifactRow{.kind = sink.intern("graph_sizes"),
                                       .name = sink.intern("-9223372036854775808 4")});
  for (const char* batch : {"-9223372036854775807 1", "9223372036854775807 0"}) {
    trace::emit(sink,
                trace::ArtifactRow{.kind = sink.intern("graph_batch"), .name = sink.intern(batch)});
  }
}

/// Counters that say more than a number of bytes or nanoseconds can be, beside kernels.
void writeCounters(trace::EventSink& sink) {
  constexpr double kValues[] = {1e300, std::numeric_limits<double>::infinity(), -1e300,
                                std::numeric_limits<double>::quiet_NaN(), 1e18};
  const auto add = [&](std::string_view metric, int64_t device, int64_t i) {
    trace::emit(sink, trace::CounterRow{.startNs = kLongestNs / 8 * i,
                                        .endNs = kLongestNs / 8 * (i + 1),
                                        .device = device,
                                        .metric = sink.intern(metric),
                                        .value = device == 0 ? 1e300 : kValues[i % 5]});
  };
  for (int64_t i = 0; i < 2 * kRows; ++i) {
    for (const char* metric : {"dram_read_bytes", "dram_write_bytes"}) add(metric, 0, i);
    add(trace::kRunningMetric, trace::kNoDevice, i);
    add(trace::kWaitingMetric, trace::kNoDevice, i);
  }
  for (int64_t i = 0; i < kRows / 8; ++i) {
    trace::emit(sink, trace::KernelRow{.startNs = i * kLongestNs,
                                       .endNs = (i + 1) * kLongestNs,
                                       .name = sink.intern("kernel"),
                                       .origin = trace::Origin::kReplay});
  }
}

struct HugeCase {
  std::string name;
  void (*write)(trace::EventSink& sink);
  std::vector<std::string> stopped;  ///< numbers of the JSON report that stop at the largest sum
};

std::ostream& operator<<(std::ostream& stream, const HugeCase& test) { return stream << test.name; }

class HugeSums : public testing::TestWithParam<HugeCase> {
 protected:
  /// Two ranks of a program that recorded the same.
  analyzer::Run load() const {
    for (int64_t rank = 0; rank < 2; ++rank) {
      auto writer = trace::FileWriter::create(folder_ / fmt::format("{}.jitscope", rank));
      EXPECT_TRUE(writer) << writer.error().text;
      trace::emit(**writer, trace::ProcessRow{.pid = rank + 1, .rank = rank, .worldSize = 2});
      GetParam().write(**writer);
      (*writer)->close();
    }
    trace::Result<analyzer::Run> run = loadRun(folder_.path());
    EXPECT_TRUE(run) << run.error().text;
    return std::move(*run);
  }

  std::filesystem::path target(std::string_view name) const { return folder_ / name; }

 private:
  tests::TemporaryFolder folder_;
};

/// Every number of a report lies between "not told" and the last time that is believed.
void expectSane(const nlohmann::json& json, const std::string& path) {
  if (json.is_number()) {
    EXPECT_GE(json.get<double>(), -1) << path;
    EXPECT_LE(json.get<double>(), 1e19) << path;
  }
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) expectSane(value, path + "/" + key);
}

void expectNothingNegative(const std::string& report) {
  static const std::regex negative("-[0-9.,]+ (ns|µs|ms|s|B|kB|MB|GB|TB)\\b");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(report, found, negative)) << found.str();
}

TEST_P(HugeSums, StopAtTheLargestInEveryReport) {
  const analyzer::Run run = load();
  const Analysis analysis = analyze(run);
  const auto json = nlohmann::json::parse(renderReport(run, analysis, ReportFormat::kJson));
  expectSane(json, "");
  for (const std::string& pointer : GetParam().stopped)
    EXPECT_EQ(json.at(nlohmann::json::json_pointer(pointer)), kLargestSum) << pointer;
  for (const ReportFormat format :
       {ReportFormat::kText, ReportFormat::kMarkdown, ReportFormat::kHtml})
    expectNothingNegative(renderReport(run, analysis, format));
}

TEST_P(HugeSums, AreComparedAndGated) {
  const analyzer::Run run = load();
  const Analysis analysis = analyze(run);
  const RunDiff diff = diffRuns(run, analysis, run, analysis);
  for (const std::string_view format : diffFormatNames())
    expectNothingNegative(renderDiff(diff, format, 0).value());
  std::vector<const Finding*> findings;
  for (const Finding& finding : analysis.findings) findings.push_back(&finding);
  for (const Measure& measure : allMeasures()) {
    const double value = measure.of(run, analysis, findings).value_or(0);
    EXPECT_TRUE(value >= 0 && value <= 1e19) << measure.name << " is " << value;
  }
}

TEST_P(HugeSums, AreExported) {
  const analyzer::Run run = load();
  for (const ExportFormat& format : exportFormats()) {
    if (format.name == "parquet" && !ParquetPlugin::open()) continue;
    const trace::Result<void> written = format.write(run, target(format.name));
    EXPECT_TRUE(written) << format.name << ": " << written.error().text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEachTable, HugeSums,
    testing::Values(
        HugeCase{"kernels",
                 writeKernels,
                 {"/kernels/by_origin/eager/total_ns", "/findings/0/cost/time_ns"}},
        HugeCase{"waits", writeWaits, {}},
        HugeCase{
            "calls",
            writeCalls,
            {"/frames/0/guard_ns", "/frames/0/compiled/total_ns", "/frames/0/compiled/ops_ns"}},
        HugeCase{"compiles", writeCompiles, {"/frames/0/compile_ns"}},
        HugeCase{"breaks", writeBreaks, {"/frames/0/break_ns", "/findings/0/cost/time_ns"}},
        HugeCase{"regions", writeRegions, {"/frames/0/compiled/total_ns"}},
        HugeCase{"losses", writeLosses, {"/run/lost"}}, HugeCase{"batches", writeBatches, {}},
        HugeCase{
            "counters", writeCounters, {"/run/processor_running_ns", "/run/processor_waiting_ns"}}),
    [](const auto& test) { return test.param.name; });

struct PercentCase {
  int64_t part, whole, percent;
};

class Percents : public testing::TestWithParam<PercentCase> {};

TEST_P(Percents, AreHundredthsRoundedDown) {
  EXPECT_EQ(percentOf(GetParam().part, GetParam().whole), GetParam().percent);
}

INSTANTIATE_TEST_SUITE_P(Amounts, Percents,
                         testing::Values(PercentCase{1, 3, 33}, PercentCase{29, 100, 29},
                                         PercentCase{0, 7, 0}, PercentCase{5, 5, 100},
                                         PercentCase{3, 2, 150}, PercentCase{0, 0, 0},
                                         PercentCase{1'699'999'983'000'011'000, kLargestSum, 42},
                                         PercentCase{kMost, kMost, 100},
                                         PercentCase{kMost, 1, kLargestSum}));

TEST(Sums, LeaveOutWhatIsBelowNothing) {
  Sum sum = 7;
  sum += std::numeric_limits<int64_t>::min();
  EXPECT_EQ(sum, 7);
}

TEST(Sums, StopAtTheLargest) {
  Sum sum = kMost;
  sum += kMost;
  EXPECT_EQ(sum, kLargestSum);
  EXPECT_EQ(productOf(kLongestNs, kRows), kLargestSum);
  EXPECT_EQ(productOf(kLongestNs, 3), 3 * kLongestNs);
  EXPECT_EQ(productOf(-1, 3), 0);
}

}  // namespace
}  // namespace jitscope::analyzer
