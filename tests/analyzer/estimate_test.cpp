#include <gtest/gtest.h>

#include <string>

#include "analyzer/reports/run_tables.h"

namespace jitscope::analyzer {
namespace {

/// The labels of a finding's lines, whose call of 148.4 ms would take so long without it.
std::string labelsOf(int64_t withoutNs) {
  Finding finding;
  finding.estimate = Estimate{"a call of f", 148'400'000, withoutNs, "guards cost nothing"};
  std::string labels;
  for (const FindingLine& line : findingLines(finding)) labels += line.label + " ";
  return labels;
}

TEST(Estimate, IsLeftOutWhereItReadsAsWhatIs) {
  EXPECT_EQ(labelsOf(148'300'000).find("estimate"), std::string::npos);
  EXPECT_NE(labelsOf(147'000'000).find("estimate"), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
