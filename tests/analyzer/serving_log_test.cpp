#include <gtest/gtest.h>

#include "analyzer/import/serving_message.h"
#include "tests/analyzer/run_of_log.h"

namespace jitscope::analyzer {
namespace {

int64_t evidenceOf(const Finding& finding, std::string_view what) {
  for (const Evidence& each : finding.evidence) {
    if (each.what == what) return each.count;
  }
  return -1;
}

TEST(ServingLog, PaddingOfVllmIsRead) {
  const std::string front = "(EngineCore_DP0 pid=123) INFO 10-08 12:00:00 [cuda_graph.py:123] ";
  const Analysis analysis = analyze(runOfLog(
      front + "- Capture sizes: [1, 2, 4, 64, 128]\n" + front +
      "| Unpadded Tokens | Padded Tokens | Num Paddings | Runtime Mode | Count |\n" + front +
      "|-----------------|---------------|--------------|--------------|-------|\n" + front +
      "| 65              | 128           | 63           | FULL         | 100   |\n" + front +
      "| 64              | 64            | 0            | PIECEWISE    | 10    |\n" + front +
      "| 4096            | 4096          | 0            | NONE         | 7     |\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  const Finding& finding = analysis.findings.front();
  EXPECT_EQ(finding.id, "cudagraph/padding");
  EXPECT_EQ(finding.count(), 110);
  EXPECT_EQ(evidenceOf(finding, "rows"), 12'800 + 640);
  EXPECT_EQ(evidenceOf(finding, "rows of padding"), 6300);
  EXPECT_NE(finding.advice.title.find("46 %"), std::string::npos) << finding.advice.title;
  EXPECT_NE(finding.advice.cause.find("65 to 128 (100 times)"), std::string::npos);
  EXPECT_NE(finding.advice.fix.find("cudagraph_capture_sizes"), std::string::npos);
}

TEST(ServingLog, BatchesOfSglangBeyondTheCapturedSizesAreTold) {
  std::string log = "[2026-04-27 02:36:06] Capture cuda graph bs [1, 2, 4, 8]\n";
  for (int i = 0; i < 9; ++i)
    log +=
        "[2026-04-27 02:37:06] Decode batch, #running-req: 8, #token: 11179, token usage: "
        "0.08, cuda graph: True, gen throughput (token/s): 1635.11, #queue-req: 0\n";
  log +=
      "[2026-04-27 02:37:07] Decode batch. #running-req: 46, #token: 34901, token usage: 0.19, "
      "cuda graph: False, gen throughput (token/s): 1447.08, #queue-req: 0,\n";
  const Analysis analysis = analyze(runOfLog(log));
  ASSERT_EQ(analysis.findings.size(), 1U);
  const Finding& finding = analysis.findings.front();
  EXPECT_EQ(finding.id, "cudagraph/beyond_captured_sizes");
  EXPECT_EQ(finding.count(), 1);
  EXPECT_EQ(finding.advice.certainty, Certainty::kCertain);
  EXPECT_NE(finding.advice.cause.find("the largest captured size is 8"), std::string::npos);
  EXPECT_NE(finding.advice.fix.find("--cuda-graph-max-bs"), std::string::npos);
}

TEST(ServingLog, PaddingOfSglangIsThatToTheNextCapturedSize) {
  std::string log;
  for (int i = 0; i < 4; ++i)
    log +=
        "[2026-04-27 02:37:06] Decode batch, #running-req: 5, #token: 11179, cuda graph: True, "
        "#queue-req: 0\n";
  EXPECT_TRUE(analyze(runOfLog(log)).findings.empty()) << "no sizes, so no padding is known";
  log = "[2026-04-27 02:36:06] Capture cuda graph bs [1, 4, 8]\n" + log;
  const Analysis analysis = analyze(runOfLog(log));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(evidenceOf(analysis.findings[0], "rows of padding"), 12);
}

TEST(ServingLog, WhyABatchRanWithoutAGraphMayNotBeKnown) {
  const Analysis analysis = analyze(
      runOfLog("[2026-04-27 02:37:06] Decode batch, #running-req: 5, #token: 7, cuda graph: False, "
               "#queue-req: 0\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].advice.certainty, Certainty::kUnknown);
  EXPECT_NE(analysis.findings[0].advice.cause.find("not in this log"), std::string::npos);
}

TEST(ServingMessage, OtherTablesAndLinesAreNone) {
  for (const char* line : {"| 1 | 2 | 3 | 4 | 5 |", "| 1 | 2 | 3 | FULL |", "| a | b |", "|",
                           "Decode batch", "Decode batch, #running-req: x, cuda graph: True",
                           "Capture cuda graph bs [1, 2, ...]", "- Capture sizes: [", ""})
    EXPECT_FALSE(parseServingMessage(line)) << line;
}

}  // namespace
}  // namespace jitscope::analyzer
