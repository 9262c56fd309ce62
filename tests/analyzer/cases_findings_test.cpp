#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "tests/analyzer/cases.h"

namespace jitscope::analyzer {
namespace {

/// A file of the cases and what must (or must not) be found in it.
struct Expected {
  std::string id;    ///< of the case
  std::string name;  ///< a part of the file's path, where a case has several files
  std::string finding;
  bool isThere = true;
  int64_t count = -1;  ///< -1: any
};

class CasesFindings : public testing::Test {
 protected:
  void SetUp() override {
    if (casesFolder().empty())
      GTEST_SKIP() << "no cases: set JITSCOPE_CASES, or put them into ../shared/cases";
  }

  static void check(const std::vector<Case>& cases, const Expected& expected) {
    SCOPED_TRACE(expected.id + " " + expected.name + " " + expected.finding);
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& each) {
      return each.id == expected.id && each.path.string().find(expected.name) != std::string::npos;
    });
    ASSERT_NE(found, cases.end());
    const trace::Result<analyzer::Run> run = loadRun(found->path);
    ASSERT_TRUE(run) << run.error().text;
    const Analysis analysis = analyze(*run);
    std::string ids;
    const Finding* finding = nullptr;
    for (const Finding& each : analysis.findings) {
      ids += each.id + "\n";
      if (each.id.starts_with(expected.finding)) finding = &each;
    }
    ASSERT_EQ(finding != nullptr, expected.isThere) << ids;
    if (expected.count >= 0) {
      EXPECT_EQ(finding->count(), expected.count);
    }
  }
};

TEST_F(CasesFindings, OfProfilesAreTheRightOnes) {
  const std::vector<Case> cases = casesOf("chrome-trace");
  const std::vector<Expected> wanted{
      {"C068", "", "recording/lost_timestamps", true, 10},
      {"C069", "", "recording/negative_duration", true, 1},
      {"C071", "", "recording/overlapping_kernels", true, 5},
      {"C074", "", "recording/clock_skew", true, 8},
      {"C086", "", "recording/no_correlation"},
      {"D001", "", "recording/cut_file/"},
      {"D002", "", "recording/cut_file/"},
      {"F020", "eager_trace", "recording/overlapping_kernels", true, 74},
      {"F021", "Qwen", "recording/unjoined_kernels", true, 509},
      {"C081", "", "recording/device_only", true, 1},
      {"F060", "num_workers_0", "recording/zero_duration"},
      {"F023", "resnet_act", "straggler/exposed_collective", true, 17},
      // Records of warm-up steps are left out as they should be.
      {"F043", "", "recording/out_of_range", false},
      // The same model three ways: launched one by one, compiled, and replayed.
      {"H007", "", "host_bound/launch_bound"},
      {"H007", "", "missed_fusion/"},
      {"H008", "", "host_bound/launch_bound"},
      {"H008", "", "missed_fusion/", false},
      {"H009", "", "host_bound/launch_bound", false},
  };
  for (const Expected& each : wanted) check(cases, each);
}

TEST_F(CasesFindings, OfARecordingThatIsFineAreNoFaultsOfIt) {
  const std::vector<Case> cases = casesOf("chrome-trace");
  for (const char* id : {"H007", "H008", "H009", "D017"})
    check(cases, {id, "", "recording/", false});
}

}  // namespace
}  // namespace jitscope::analyzer
