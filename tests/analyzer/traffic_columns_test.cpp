// Bytes of kernels by their three sources, side by side.
#include "analyzer/reports/traffic_columns.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzer/kernel_summary.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

/// Samples of 100 us, in which that many bytes are read, and a tenth of them written.
std::string samples(const std::vector<int>& read) {
  std::string rows;
  for (size_t i = 0; i < read.size(); ++i) {
    const std::string at =
        "counter at=" + std::to_string(100 * i) + "us.." + std::to_string(100 * i + 100) + "us ";
    rows += at + "metric=\"dram_read_bytes\" value=" + std::to_string(read[i]) + "\n";
    rows += at + "metric=\"dram_write_bytes\" value=" + std::to_string(read[i] / 10) + "\n";
  }
  return rows;
}

std::string kernel(int startUs, int endUs, const std::string& name, const std::string& launch) {
  return "kernel at=" + std::to_string(startUs) + "us.." + std::to_string(endUs) + "us name=\"" +
         name + "\" launch=\"" + launch + "\"\n";
}

const KernelGroup& groupOf(const KernelSummary& summary, const analyzer::Run& run,
                           const std::string& name) {
  for (const KernelGroup& group : summary.groups) {
    if (run.text(group.name) == name) return group;
  }
  ADD_FAILURE() << name;
  return summary.groups[0];
}

TEST(RepeatedTraffic, OfAKernelThatIsAloneIsAllThatMoves) {
  std::string rows = samples(std::vector<int>(20, 1000));
  for (int i = 0; i < 20; ++i) rows += kernel(100 * i + 30, 100 * i + 60, "short", "grid 1");
  const analyzer::Run run = runOf(rows);
  const KernelSummary summary = summarizeKernels(run);
  const RepeatedBytes& repeated = groupOf(summary, run, "short").repeated;
  EXPECT_EQ(repeated.count, 20);
  EXPECT_DOUBLE_EQ(repeated.bytes.read, 20'000);
  EXPECT_DOUBLE_EQ(repeated.bytes.written, 2'000);
  EXPECT_DOUBLE_EQ(repeated.bytes.error, 0);
}

TEST(RepeatedTraffic, OfKernelsThatShareSamplesIsSharedByTimeWithABound) {
  std::string rows = samples(std::vector<int>(20, 1000));
  for (int i = 0; i < 20; ++i) {
    rows += kernel(100 * i, 100 * i + 60, "long", "grid 1");
    rows += kernel(100 * i + 60, 100 * i + 80, "brief", "grid 1");
  }
  const analyzer::Run run = runOf(rows);
  const KernelSummary summary = summarizeKernels(run);
  const RepeatedBytes& repeated = groupOf(summary, run, "long").repeated;
  EXPECT_DOUBLE_EQ(repeated.bytes.read, 15'000);
  EXPECT_DOUBLE_EQ(repeated.bytes.error, 15'000);
  // Three quarters of each sample may be its own, or not: more than it is thought to move.
  EXPECT_EQ(groupOf(summary, run, "brief").repeated.count, 0);
}

TEST(RepeatedTraffic, CountsCopiesAndKernelsThatCoverManySamplesAsOthers) {
  std::string rows = samples(std::vector<int>(20, 1000));
  for (int i = 0; i < 20; ++i) rows += kernel(100 * i, 100 * i + 50, "short", "grid 1");
  rows += "memcpy at=0us..2000us bytes=5\n";
  const analyzer::Run run = runOf(rows);
  // A third of each sample, and two thirds may be wrong.
  EXPECT_EQ(groupOf(summarizeKernels(run), run, "short").repeated.count, 0);
}

TEST(RepeatedTraffic, IsSummedForEachLaunch) {
  std::string rows = samples(std::vector<int>(40, 1000));
  for (int i = 0; i < 20; ++i) rows += kernel(100 * i, 100 * i + 40, "k", "grid 1");
  rows += kernel(2000, 2040, "k", "grid 2");  // alone: no repeats
  for (int i = 30; i < 33; ++i) rows += kernel(100 * i, 100 * i + 40, "k", "grid 3");  // too few
  const analyzer::Run run = runOf(rows);
  EXPECT_EQ(groupOf(summarizeKernels(run), run, "k").repeated.count, 20);
}

TEST(RepeatedTraffic, LeavesOutKernelsWithSamplesOfTheirOwn) {
  const analyzer::Run run = runOf(samples(std::vector<int>(20, 1000)) +
                                  kernel(0, 600, "k", "grid 1") + kernel(600, 1300, "k", "grid 1"));
  const KernelSummary summary = summarizeKernels(run);
  EXPECT_EQ(summary.groups[0].sampledCount, 2);
  EXPECT_EQ(summary.groups[0].repeated.count, 0);
}

TEST(TrafficColumns, KeepTheSourcesApart) {
  std::string rows = samples(std::vector<int>(20, 1000));
  for (int i = 0; i < 20; ++i) rows += kernel(100 * i + 30, 100 * i + 60, "short", "grid 1");
  rows += "kernel at=5000us..5010us name=\"counted\" bytes_read=2000 bytes_written=1000\n";
  rows += "kernel at=6000us..6010us name=\"modelled\" modelled_bytes=7000\n";
  const analyzer::Run run = runOf(rows);
  const KernelSummary summary = summarizeKernels(run);
  const TrafficColumns columns(summary.groups);
  Table table;
  columns.addTo(table);
  std::vector<std::string> headers;
  for (const Table::Column& column : table.columns) headers.push_back(column.header);
  EXPECT_EQ(headers, (std::vector<std::string>{"read", "written", "±", "exact read",
                                               "exact written", "modelled"}));
  const auto cellsOf = [&](const char* name) {
    std::vector<std::string> cells;
    columns.addTo(cells, groupOf(summary, run, name));
    return cells;
  };
  using Cells = std::vector<std::string>;
  EXPECT_EQ(cellsOf("short"), (Cells{"~1.00 kB", "~100 B", "~0 B", "-", "-", "-"}));
  EXPECT_EQ(cellsOf("counted"), (Cells{"-", "-", "-", "2.00 kB", "1.00 kB", "-"}));
  EXPECT_EQ(cellsOf("modelled"), (Cells{"-", "-", "-", "-", "-", "7.00 kB"}));
  const nlohmann::ordered_json json = trafficJson(groupOf(summary, run, "counted"));
  EXPECT_EQ(json["exact"]["written_bytes"], 1000);
  EXPECT_EQ(json["sampled"], nullptr);
  EXPECT_EQ(trafficJson(groupOf(summary, run, "short"))["sampled_repeats"]["kernels"], 20);
  EXPECT_EQ(trafficJson(groupOf(summary, run, "modelled"))["modelled"]["bytes"], 7000);
}

TEST(TrafficColumns, AreNotThereWithoutTraffic) {
  Table table;
  TrafficColumns({}).addTo(table);
  EXPECT_TRUE(table.columns.empty());
  EXPECT_TRUE(table.note.empty());
}

}  // namespace
}  // namespace jitscope::analyzer
