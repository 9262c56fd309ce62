#include "gui/widgets/lane_painter.h"

#include <gtest/gtest.h>

#include "gui/widgets/palette.h"
#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

TEST(LanePainter, DrawsTheGridAtTheTicksOfTheRuler) {
  const auto timeline = smallTimeline();
  PanePlace place;
  place.bodyHeight = 4;
  const TimeAxis ruler({-100, 900}, 1'000);
  for (const int64_t originNs : {0, 137, 10'000}) {
    const QImage image = paintLanes({*timeline, place, ruler.shifted(originNs), originNs, 1});
    for (const Tick& tick : ticks(ruler, 90)) {
      const auto x = static_cast<int>(ruler.toPixel(tick.timeNs));
      if (x >= image.width()) continue;
      EXPECT_EQ(image.pixel(x, 0), colours().grid)
          << tick.label.toStdString() << " of a step at " << originNs;
    }
  }
}

TEST(LanePainter, PaintsNothingOfAnEventThatStartsAtTheVeryEdge) {
  const auto timeline = smallTimeline();
  PanePlace place;
  place.bodyHeight = 4;
  place.rows = {{1, 2, 0, 4}};
  const QImage image = paintLanes({*timeline, place, TimeAxis({0, 100}, 50), 0, 1});
  for (int x = 0; x < image.width(); ++x) EXPECT_NE(image.pixel(x, 2), colourOf(Category::kEager));
}

}  // namespace
}  // namespace jitscope::gui
