#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "analyzer/analysis.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "tests/support/temporary_folder.h"
#include "trace/writer.h"

namespace jitscope::analyzer {
namespace {

constexpr std::array kTexts{"",
                            "L['x'].size()[0]",
                            "tensor 'x' size mismatch at index 0. expected 4, actual 1",
                            "L['n'] == 3",
                            "a.cpp:12 f(at::Tensor)\nb.cpp:3 main",
                            "\xff\xc3",
                            "aten::item",
                            "tensor '",
                            "at index ",
                            "L['",
                            "size",
                            "divergence",
                            ": \n :9 \n"};

/// Writes rows of every table with values that are mostly sensible and sometimes anything.
class RandomRecording {
 public:
  RandomRecording(trace::EventSink& sink, uint32_t seed) : sink_(sink), random_(seed) {}

  void write(int rows) {
    for (int i = 0; i < rows; ++i) {
      const auto wanted = below(21);
      int64_t table = 0;
      trace::forEachTable([&]<class Row>() {
        if (table++ == wanted) writeRow<Row>();
      });
    }
  }

  int64_t written(const char* table) const {
    const auto count = written_.find(table);
    return count == written_.end() ? 0 : count->second;
  }

 private:
  int64_t below(int64_t limit) {
    return std::uniform_int_distribution<int64_t>(0, limit - 1)(random_);
  }

  int64_t anyNumber() {
    switch (below(8)) {
      case 0:
        return std::numeric_limits<int64_t>::min();
      case 1:
        return std::numeric_limits<int64_t>::max();
      case 2:
        return -1;
      default:
        return below(10);
    }
  }

  template <class Row>
  void writeRow() {
    Row row;
    const bool isSane = below(10) != 0;
    // Believable, and too much to be added up.
    const bool isHuge = below(10) == 0;
    const int64_t startNs = below(isHuge ? kLatestNs - kLongestNs : 1'000);
    const int64_t endNs = startNs + (isHuge ? kLongestNs : below(300));
    Row::columns([&](const char* name, auto member) {
      using Field = std::remove_cvref_t<decltype(row.*member)>;
      const std::string column = name;
      if constexpr (std::is_same_v<Field, trace::StringId>) {
        row.*member = sink_.intern(kTexts[static_cast<size_t>(below(kTexts.size()))]);
      } else if (column == "start_ns") {
        row.*member = static_cast<Field>(isSane ? startNs : anyNumber());
      } else if (column == "end_ns") {
        row.*member = static_cast<Field>(isSane ? endNs : anyNumber());
      } else if (column == "time_ns") {
        row.*member = static_cast<Field>(isSane ? startNs : anyNumber());
      } else {
        row.*member = static_cast<Field>(isSane ? below(4) : anyNumber());
      }
    });
    trace::emit(sink_, row);
    ++written_[Row::kName];
  }

  trace::EventSink& sink_;
  std::mt19937 random_;
  std::map<std::string, int64_t> written_;
};

int64_t leftOut(const Run& run, const std::string& table) {
  int64_t amount = 0;
  for (const Loss& loss : run.losses) {
    const bool isOurs = loss.kind == trace::LossKind::kOutOfRange && loss.place == table &&
                        loss.text == "a time or duration that cannot be right";
    if (isOurs) amount += loss.amount;
  }
  return amount;
}

class RandomRecordings : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomRecordings, GiveAReportWhoseCountsAreTheRowsWritten) {
  const tests::TemporaryFolder folder;
  const std::filesystem::path path = folder / "random.jitscope";
  auto writer = trace::FileWriter::create(path);
  ASSERT_TRUE(writer) << writer.error().text;
  RandomRecording recording(**writer, GetParam());
  recording.write(400);
  (*writer)->close();

  const trace::Result<analyzer::Run> run = loadRun(path);
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  EXPECT_FALSE(renderReport(*run, analysis, ReportFormat::kText).empty());
  EXPECT_FALSE(renderReport(*run, analysis, ReportFormat::kMarkdown).empty());
  const nlohmann::json json =
      nlohmann::json::parse(renderReport(*run, analysis, ReportFormat::kJson));
  const auto expectCount = [&](const char* member, const char* table) {
    EXPECT_EQ(json["run"][member].get<int64_t>(), recording.written(table) - leftOut(*run, table))
        << table;
  };
  EXPECT_EQ(json["run"]["ops"].get<int64_t>(), recording.written("op"));
  EXPECT_EQ(json["run"]["kernels"].get<int64_t>(), recording.written("kernel"));
  expectCount("calls", "call");
  expectCount("compiles", "compile");
  expectCount("regions", "region");
  expectCount("graph_break_passes", "graph_break");
  expectCount("guard_failures", "guard_failure");
  expectCount("specializations", "specialization");
  int64_t passes = 0;
  for (const auto& finding : json["findings"]) {
    if (finding["kind"] == "graph_break") passes += finding["count"].get<int64_t>();
  }
  EXPECT_EQ(passes, json["run"]["graph_break_passes"].get<int64_t>());
}

TEST_P(RandomRecordings, WithDamageNeverCrashAndCountLosses) {
  const tests::TemporaryFolder folder;
  const std::filesystem::path path = folder / "random.jitscope";
  {
    auto writer = trace::FileWriter::create(path);
    ASSERT_TRUE(writer) << writer.error().text;
    RandomRecording(**writer, GetParam()).write(100);
    (*writer)->close();
  }
  std::mt19937 random(GetParam());
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path));
  for (int flips = 0; flips < 3; ++flips) {
    file.seekp(std::uniform_int_distribution<int64_t>(0, size - 1)(random));
    file.put(static_cast<char>(random()));
  }
  file.close();
  if (random() % 2 == 0) {
    std::filesystem::resize_file(path,
                                 static_cast<uintmax_t>(random()) % static_cast<uintmax_t>(size));
  }
  const trace::Result<analyzer::Run> run = loadRun(path);
  if (!run) {
    EXPECT_EQ(run.error().text.find(path.string() + ": "), 0U) << run.error().text;
    return;
  }
  const std::string report = renderReport(*run, analyze(*run), ReportFormat::kJson);
  EXPECT_TRUE(nlohmann::json::accept(report));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRecordings, testing::Range(0U, 60U));

}  // namespace
}  // namespace jitscope::analyzer
