#include "analyzer/import/span_nesting.h"

#include <gtest/gtest.h>

#include <fstream>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

using Names = std::vector<std::string>;

TEST(SpanNesting, NamesSpansThatEndAfterTheCallTheyBeganIn) {
  SpanNesting nesting;
  nesting.add(1, 0, 100, {});
  nesting.add(1, 10, 90, "ProfilerStep#1");
  nesting.add(1, 20, 30, {});
  nesting.add(1, 25, 60, "forward");
  nesting.add(1, 95, 130, "ProfilerStep#2");
  EXPECT_EQ(nesting.crossing(), (Names{"forward", "ProfilerStep#2"}));
}

TEST(SpanNesting, SpansThatTouchOrAreOfAnotherThreadDoNotCross) {
  SpanNesting nesting;
  nesting.add(1, 0, 10, {});
  nesting.add(1, 10, 20, "ProfilerStep#1");
  nesting.add(2, 5, 30, "ProfilerStep#1");
  nesting.add(1, 10, 20, {});
  EXPECT_TRUE(nesting.crossing().empty());
}

TEST(SpanNesting, AStepThatCrossesStaysAndIsNamed) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "trace.json") << R"({"traceEvents": [
{"ph": "X", "cat": "python_function", "name": "enter", "pid": 1, "tid": 1, "ts": 1, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 1, "tid": 1, "ts": 5, "dur": 90},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 20, "dur": 10}]})";
  const trace::Result<analyzer::Run> run = loadRun(folder / "trace.json");
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(run->processes.begin()->ops.size(), 2U);
  const Analysis analysis = analyze(*run);
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].id, "recording/damaged_file/crossing_spans");
  EXPECT_NE(analysis.findings[0].advice.cause.find("ProfilerStep#7"), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
