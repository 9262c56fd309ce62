#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "tests/analyzer/cases.h"

namespace jitscope::analyzer {
namespace {

class LogManifest : public testing::Test {
 protected:
  void SetUp() override {
    if (casesFolder().empty())
      GTEST_SKIP() << "no cases: set JITSCOPE_CASES, or put them into ../shared/cases";
  }

  static void compare(const Case& wanted, size_t& compared) {
    SCOPED_TRACE(wanted.id + " " + wanted.path.string());
    const trace::Result<analyzer::Run> run = loadRun(wanted.path);
    ASSERT_TRUE(run) << run.error().text;
    ASSERT_EQ(run->inputs.size(), 1U);
    std::map<std::string, int64_t, std::less<>> counts;
    for (const InputCount& count : run->inputs.front().counts)
      counts[count.name] = std::get<int64_t>(count.amount);
    for (const auto& [name, amount] : wanted.facts) {
      ++compared;
      const auto found = counts.find(name);
      ASSERT_NE(found, counts.end()) << name;
      EXPECT_EQ(static_cast<double>(found->second), amount) << name;
    }
  }
};

TEST_F(LogManifest, StructuredLogsHoldWhatItSays) {
  size_t compared = 0;
  for (const Case& each : casesOf("TORCH_TRACE")) compare(each, compared);
  EXPECT_GT(compared, 200U);
}

TEST_F(LogManifest, TextLogsHoldWhatItSays) {
  size_t compared = 0;
  for (const Case& each : casesOf("TORCH_LOGS")) compare(each, compared);
  EXPECT_GT(compared, 60U);
}

TEST_F(LogManifest, BenchmarkLogsGiveNothing) {
  const std::vector<Case> cases = casesOf("text");
  for (const char* name : {"log1.log", "log2.log"}) {
    const auto found = std::find_if(cases.begin(), cases.end(),
                                    [&](const Case& each) { return each.path.filename() == name; });
    ASSERT_NE(found, cases.end());
    const trace::Result<analyzer::Run> run = loadRun(found->path);
    ASSERT_FALSE(run);
  }
}

struct RecordedAnswer {
  std::string id;       ///< of the case
  std::string finding;  ///< how its id begins
  std::string place;
  int64_t count = 0;
};

TEST_F(LogManifest, OwnRecordingsGiveTheSameAnswersInBothForms) {
  const std::vector<RecordedAnswer> wanted{
      {"H001", "recompile/size/u[0]/automatic_dynamic/", "/srv/app/workloads.py:4", 1},
      {"H001", "recompile/zero_one/x[0]/", "/srv/app/workloads.py:6", 1},
      {"H002", "graph_break/scalar_read/workloads.py:9", "/srv/app/workloads.py:9", 2},
      {"H002", "graph_break/print/workloads.py:33", "/srv/app/workloads.py:33", 1},
      {"H002", "recompile_limit/torch_dynamo_resume_in_g_at_33@", "/srv/app/workloads.py:33", 1},
      {"H002", "recompile/global/cfg['scale']/", "/srv/app/workloads.py:35", 7},
      {"H003", "recompile/size/i[1]/automatic_dynamic/", "", 1},
      {"H004", "recompile/size/u[0]/automatic_dynamic/", "", 1},
      {"H004", "recompile/zero_one/x[0]/", "", 1},
      {"H005", "graph_break/scalar_read/workloads.py:9", "/srv/app/workloads.py:9", 2},
      {"H005", "graph_break/print/workloads.py:33", "/srv/app/workloads.py:33", 1},
      {"H005", "recompile_limit/torch_dynamo_resume_in_g_at_33@", "", 1},
      {"H005", "recompile/global/cfg['scale']/", "", 7},
      {"H006", "recompile/size/i[1]/automatic_dynamic/", "", 1}};
  std::map<std::string, Analysis> analyses;
  for (const char* format : {"TORCH_TRACE", "TORCH_LOGS"}) {
    for (const Case& each : casesOf(format)) {
      if (!each.id.starts_with('H')) continue;
      const trace::Result<analyzer::Run> run = loadRun(each.path);
      ASSERT_TRUE(run) << run.error().text;
      analyses.emplace(each.id, analyze(*run));
    }
  }
  for (const RecordedAnswer& each : wanted) {
    SCOPED_TRACE(each.id + " " + each.finding);
    std::string ids;
    const Finding* found = nullptr;
    for (const Finding& finding : analyses.at(each.id).findings) {
      ids += finding.id + "\n";
      if (finding.id.starts_with(each.finding)) found = &finding;
    }
    ASSERT_NE(found, nullptr) << ids;
    EXPECT_EQ(found->count(), each.count);
    if (!each.place.empty()) {
      EXPECT_EQ(fullText(found->place), each.place);
    }
  }
}

TEST_F(LogManifest, AFolderOfRanksIsOneRun) {
  const trace::Result<analyzer::Run> run =
      loadRun(casesFolder() / "files/meta-pytorch_tlparse/tests/inputs/multi_rank_logs");
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(run->processes.size(), 3U);
  EXPECT_EQ(run->compiles.size(), 1U + 15U + 7U);
}

}  // namespace
}  // namespace jitscope::analyzer
