#include "analyzer/diagnoses/specialized_size.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

TEST(SpecializedSize, NamesSizePlaceAndValues) {
  const std::vector<Finding> findings = findingsOf(R"rows(
frame frame=0 name="step" file="step.cpp" line=5
specialization frame=0 attempt=1 time_ns=10us source="L['x'].size()[0]" value=8 reason="user code read it" stack="step.cpp:7 step()"
specialization frame=0 attempt=2 time_ns=20us source="L['x'].size()[0]" value=16 reason="user code read it" stack="step.cpp:7 step()"
specialization frame=0 attempt=2 time_ns=20us source="L['x'].size()[1]" value=4 reason="user code read it" stack="step.cpp:8 step()"
)rows",
                                                   FindingKind::kSpecializedSize);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].place, (Place{"step.cpp", 7, "step()"})) << "the more frequent one first";
  EXPECT_EQ(findings[0].count(), 2);
  EXPECT_EQ(evidence(findings[0], "values"), 2);
  EXPECT_NE(findings[0].advice.title.find("(8, 16)"), std::string::npos);
  EXPECT_NE(findings[0].advice.fix.find("x.size()"), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
