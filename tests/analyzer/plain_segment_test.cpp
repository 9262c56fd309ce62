#include "analyzer/diagnoses/plain_segment.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

TEST(PlainSegment, NamesReasonPlaceAndFix) {
  const std::vector<Finding> findings = findingsOf(R"rows(
frame frame=0 name="step" file="step.cpp" line=5
artifact frame=0 attempt=0 segment=1 time_ns=10us kind="plain_segment" name="aten::add_.Tensor: writes to memory of user code under autograd" content="step.cpp:7 step()"
artifact frame=0 attempt=1 segment=1 time_ns=20us kind="plain_segment" name="aten::add_.Tensor: writes to memory of user code under autograd" content="step.cpp:7 step()"
artifact frame=0 attempt=1 segment=1 time_ns=20us kind="graph_code" name="graph_0_1_1" content="def forward(self):"
artifact frame=0 attempt=1 segment=-1 time_ns=30us kind="plain_segment" name="something else" content=""
)rows",
                                                   FindingKind::kPlainSegment);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].place, (Place{"step.cpp", 7, "step()"})) << "the more frequent one first";
  EXPECT_EQ(evidence(findings[0], "segments"), 2);
  EXPECT_NE(findings[0].advice.title.find("under autograd"), std::string::npos);
  EXPECT_NE(findings[0].advice.fix.find("NoGradGuard"), std::string::npos);
  EXPECT_EQ(findings[1].place.file, "step.cpp") << "the frame's own place";
  EXPECT_FALSE(findings[1].advice.fix.empty());
}

}  // namespace
}  // namespace jitscope::analyzer
