#include "analyzer/recompile_history.h"

#include <gtest/gtest.h>

#include "analyzer/entry_guards.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kTwoGuards = R"rows(
frame frame=0 name="mlp" file="mlp.cpp" line=5
compile frame=0 attempt=0 at=0us..50us thread=1 trigger="first call"
guard frame=0 attempt=0 index=0 kind="TENSOR_MATCH" source="L['x']" expression="check_tensor(L['x'])"
guard frame=0 attempt=0 index=1 kind="EQUALS_MATCH" source="L['n']" expression="L['n'] == 3"
guard_failure frame=0 attempt=0 time_ns=100us thread=1 caused=1 kind="TENSOR_MATCH" source="L['x']" expected="4" actual="8" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 8" cause="size"
compile frame=0 attempt=1 at=100us..180us thread=1 backend_ns=15us is_dynamic=1
guard_failure frame=0 attempt=0 time_ns=300us thread=1 kind="TENSOR_MATCH" source="x" text="tensor 'x' size mismatch at index 0. expected 4, actual 16"
guard_failure frame=0 attempt=1 time_ns=300us thread=1 kind="GRAD_MODE" text="grad_mode 1" cause="grad_mode"
)rows";

TEST(RecompileHistory, TellsCauseChangeAndGuardOfEachRecompilation) {
  const auto run = runOf(kTwoGuards);
  const std::vector<Recompile> history = recompileHistory(run);
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history[0].cause, "size");
  EXPECT_EQ(history[0].change, "size 0 of x changed from 4 to 8");
  EXPECT_EQ(history[0].expected, "4");
  EXPECT_EQ(history[0].actual, "8");
  EXPECT_TRUE(history[0].guard.starts_with("tensor 'L['x']' size mismatch"));
  EXPECT_EQ(run.compiles[history[0].compile].attempt, trace::AttemptId{1});
}

TEST(EntryGuards, CountFailuresAtTheGuardOfTheirKindAndVariable) {
  const auto run = runOf(kTwoGuards);
  ASSERT_EQ(run.entries.size(), 2U);
  const std::vector<EntryGuard> first = guardsOf(run, run.entries[EntryIndex{0}]);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].failureCount, 2);
  EXPECT_EQ(first[1].failureCount, 0);
}

TEST(EntryGuards, ListAlsoThoseThatAreKnownOnlyBecauseTheyFailed) {
  const auto run = runOf(kTwoGuards);
  const std::vector<EntryGuard> second = guardsOf(run, run.entries[EntryIndex{1}]);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(run.text(second[0].expression), "grad_mode 1");
  EXPECT_EQ(second[0].failureCount, 1);
}

TEST(EntryGuards, CountAFailureAtTheFirstOfSeveralThatFit) {
  const auto run = runOf(R"rows(
frame frame=0 name="mlp" file="mlp.cpp" line=5
compile frame=0 attempt=0 at=0us..50us thread=1 trigger="first call"
guard frame=0 attempt=0 index=0 kind="TYPE_MATCH" source="L['x']" expression="type"
guard frame=0 attempt=0 index=1 kind="TENSOR_MATCH" source="L['x']" expression="tensor"
guard frame=0 attempt=0 index=2 kind="TENSOR_MATCH" source="L['x'].size()[0]" expression="size"
guard frame=0 attempt=0 index=3 kind="GRAD_MODE" source="" expression="grad"
guard_failure frame=0 attempt=0 time_ns=1us thread=1 kind="TENSOR_MATCH" source="x" text="a"
guard_failure frame=0 attempt=0 time_ns=2us thread=1 kind="TENSOR_MATCH" source="L['x'].size()[0]" text="b"
guard_failure frame=0 attempt=0 time_ns=3us thread=1 kind="SHAPE_ENV" source="L['x'].size()[0]" text="c"
guard_failure frame=0 attempt=0 time_ns=4us thread=1 kind="SHAPE_ENV" source="L['y']" text="d"
guard_failure frame=0 attempt=0 time_ns=5us thread=1 kind="SHAPE_ENV" source="y" text="e"
guard_failure frame=0 attempt=0 time_ns=6us thread=1 kind="GRAD_MODE" source="" text="f"
)rows");
  std::vector<std::pair<std::string, int64_t>> counts;
  for (const EntryGuard& guard : guardsOf(run, run.entries[EntryIndex{0}]))
    counts.emplace_back(run.text(guard.expression), guard.failureCount);
  EXPECT_EQ(counts, (std::vector<std::pair<std::string, int64_t>>{
                        {"type", 0}, {"tensor", 2}, {"size", 1}, {"grad", 1}, {"d", 2}}));
}

}  // namespace
}  // namespace jitscope::analyzer
