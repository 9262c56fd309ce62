#include "collector/record/summary.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::collector {
namespace {

/// Why no traffic was sampled in a recording of these rows.
std::string missingTrafficOf(const std::string& rows) {
  const tests::TemporaryFolder folder;
  tests::writeTrace(folder / "out.jitscope", rows);
  return missingTraffic(summarize(folder / "out.jitscope"));
}

TEST(Summary, SaysThatTrafficIsMissingWhereNothingTellsOfAGpu) {
  const std::string noGpu = "; no memory traffic was sampled: no GPU was seen in use";
  EXPECT_EQ(missingTrafficOf("op at=1us..2us name=\"mm\"\n"), noGpu);
  // Counters of the process itself, and what recording took.
  EXPECT_EQ(missingTrafficOf("counter at=1us..2us device=-1 metric=\"steps\" value=3\n"), noGpu);
  EXPECT_EQ(missingTrafficOf("loss kind=overhead place=\"GPU\" text=\"own time\" amount=9\n"),
            noGpu);
}

TEST(Summary, SaysThatTrafficIsMissingOfAGpuThatWorked) {
  for (const char* rows : {"device device=0 name=\"H200\"\n", "api at=1us..2us name=\"launch\"\n"})
    EXPECT_EQ(missingTrafficOf(rows), "; no memory traffic was sampled") << rows;
}

TEST(Summary, LeavesTrafficToTheNotesThatSayWhatIsWrongWithIt) {
  EXPECT_EQ(
      missingTrafficOf(
          "loss kind=dropped place=\"GPU\" text=\"memory traffic is not sampled: no counters\"\n"),
      "");
}

TEST(Summary, MissesNoTrafficThatIsThere) {
  EXPECT_EQ(missingTrafficOf("counter at=1us..2us device=0 metric=\"read\" value=3\n"), "");
}

}  // namespace
}  // namespace jitscope::collector
