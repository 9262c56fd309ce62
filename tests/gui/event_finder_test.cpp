#include "gui/models/event_finder.h"

#include <gtest/gtest.h>

#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

TEST(EventFinder, FindsAnEventByItsNameAndStart) {
  const auto timeline = smallTimeline();
  const auto pick = findEvent(*timeline, Pane::kCompiled, "aten::mul", 10'200);
  ASSERT_TRUE(pick.has_value());
  EXPECT_EQ(pick->pane, Pane::kCompiled);
  EXPECT_EQ(timeOf(*timeline, *pick), (TimeRange{10'200, 10'300}));
  EXPECT_EQ(nameOf(*timeline, *pick), "aten::mul");
}

TEST(EventFinder, FindsNothingElse) {
  const auto timeline = smallTimeline();
  EXPECT_FALSE(findEvent(*timeline, Pane::kEager, "aten::mul", 101).has_value());
  EXPECT_FALSE(findEvent(*timeline, Pane::kEager, "aten::mm", 100).has_value());
  EXPECT_FALSE(findEvent(*timeline, Pane::kEager, "region 0/0", 10'050).has_value());
}

}  // namespace
}  // namespace jitscope::gui
