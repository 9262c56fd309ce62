#include "gui/widgets/mark_painter.h"

#include <gtest/gtest.h>

#include <QImage>

#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

Timeline withMarks(std::vector<Mark> marks) {
  Timeline timeline;
  timeline.marks = std::move(marks);
  return timeline;
}

Mark mark(MarkKind kind, int64_t timeNs) { return {kind, {timeNs, timeNs}, SourceRow{0}, "mark"}; }

/// The picture of marks on an axis of 1,000 ns on 500 pixels.
QImage painted(const Timeline& timeline) {
  QImage image(500, 60, QImage::Format_RGB32);
  image.fill(colours().ground);
  QPainter painter(&image);
  paintMarks(painter, timeline, TimeAxis({0, 1'000}, 500), image.rect(), 0);
  return image;
}

bool hasColour(const QImage& image, QRgb wanted, int fromX, int toX) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = fromX; x < toX; ++x) {
      if (image.pixel(x, y) == wanted) return true;
    }
  }
  return false;
}

TEST(PaintMarks, PaintsATriangleInTheColourOfTheKind) {
  const QImage image =
      painted(withMarks({mark(MarkKind::kBreak, 200), mark(MarkKind::kRecompile, 800)}));
  EXPECT_TRUE(hasColour(image, colourOf(Category::kBreak), 90, 110));
  EXPECT_TRUE(hasColour(image, colourOf(Category::kRecompile), 390, 410));
  EXPECT_FALSE(hasColour(image, colourOf(Category::kRecompile), 90, 110));
}

TEST(PaintMarks, LetsTheRecompileSpeakForItsGuardFailureAndBreak) {
  const QImage image =
      painted(withMarks({mark(MarkKind::kGuardFailure, 500), mark(MarkKind::kBreak, 501),
                         mark(MarkKind::kRecompile, 502)}));
  EXPECT_TRUE(hasColour(image, colourOf(Category::kRecompile), 245, 256));
  EXPECT_FALSE(hasColour(image, colourOf(Category::kBreak), 240, 262));
}

TEST(PaintMarks, PaintsManyMarksOfOnePixelOnce) {
  std::vector<Mark> marks(300'000, mark(MarkKind::kBreak, 500));
  EXPECT_TRUE(
      hasColour(painted(withMarks(std::move(marks))), colourOf(Category::kBreak), 245, 256));
}

TEST(MarkAt, FindsTheNearestMarkWithinTheTolerance) {
  const Timeline timeline = withMarks({mark(MarkKind::kBreak, 200), mark(MarkKind::kBreak, 212)});
  const TimeAxis axis({0, 1'000}, 500);
  EXPECT_EQ(markAt(timeline, axis, 99, 8), 0U);
  EXPECT_EQ(markAt(timeline, axis, 105, 8), 1U);
  EXPECT_FALSE(markAt(timeline, axis, 130, 8).has_value());
}

}  // namespace
}  // namespace jitscope::gui
