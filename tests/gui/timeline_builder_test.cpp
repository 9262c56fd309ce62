#include "gui/loading/timeline_builder.h"

#include <gtest/gtest.h>

#include <QDir>
#include <algorithm>

#include "gui/loading/finding_views.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

class TimelineBuilderTest : public RecordingTest {
 protected:
  std::shared_ptr<const Timeline> build(const SyntheticRecording& wanted) {
    auto loaded = analyzer::loadRun(record(wanted).toStdString());
    EXPECT_TRUE(loaded);
    if (!loaded) return nullptr;
    const auto run = std::make_shared<const analyzer::Run>(std::move(*loaded));
    return buildTimeline(run, [](int) { return true; });
  }

  static const Lane* laneOf(const Timeline& timeline, LaneKind kind) {
    for (const Lane& lane : timeline.lanes) {
      if (lane.kind == kind) return &lane;
    }
    return nullptr;
  }

  static int64_t countOf(const Lane& lane, RowKind kind, Category category) {
    int64_t count = 0;
    for (const EventRow& row : lane.rows) {
      if (row.kind() != kind) continue;
      const auto& categories = row.events().category;
      count += std::count(categories.begin(), categories.end(), category);
    }
    return count;
  }
};

TEST_F(TimelineBuilderTest, AlignsEagerAndCompiledCallsOfAFrame) {
  const auto timeline = build({.eagerSteps = 6, .compiledSteps = 8});
  ASSERT_EQ(timeline->tracks.size(), 1U);
  const StepTrack& track = timeline->tracks[0];
  EXPECT_EQ(track.frame, "decodeStep");
  EXPECT_EQ(track.eagerCount, 6U);
  EXPECT_EQ(track.compiledCount, 8U);
  EXPECT_LT(track.steps[0].eager->endNs, track.steps[0].compiled->startNs);
  EXPECT_NE(track.typical, 0U) << "the first call compiles";
}

TEST_F(TimelineBuilderTest, NamesAFolderHoweverItsPathEnds) {
  QDir(file("")).mkdir("folder");
  ASSERT_TRUE(writeRecording({.eagerSteps = 1, .compiledSteps = 2},
                             file("folder/a.jitscope").toStdString()));
  for (const char* end : {"", "/", "//", "/.", "/../folder/"}) {
    auto loaded = analyzer::loadRun((file("folder") + end).toStdString());
    ASSERT_TRUE(loaded) << end;
    const auto run = std::make_shared<const analyzer::Run>(std::move(*loaded));
    EXPECT_EQ(buildTimeline(run, [](int) { return true; })->title, "folder") << end;
  }
}

TEST_F(TimelineBuilderTest, ColoursOperatorsByHowTheyCameToRun) {
  const auto timeline = build({.eagerSteps = 2, .compiledSteps = 3, .layers = 2});
  const Lane* host = laneOf(*timeline, LaneKind::kHost);
  ASSERT_NE(host, nullptr);
  // A layer has 9 small operators and 5 of libraries; each has one more nested in it.
  EXPECT_EQ(countOf(*host, RowKind::kOperator, Category::kLibrary), 5 * 2 * 5);
  EXPECT_EQ(countOf(*host, RowKind::kOperator, Category::kEager), 2 * 2 * (9 + 14));
  EXPECT_EQ(countOf(*host, RowKind::kOperator, Category::kCompiled), 3 * 2 * (9 + 14));
  EXPECT_EQ(countOf(*host, RowKind::kRegion, Category::kCompiled), 3 * 2);
  EXPECT_EQ(countOf(*host, RowKind::kRegion, Category::kBreak), 2)
      << "the first pass has no length";
}

TEST_F(TimelineBuilderTest, MarksBreaksRecompilesAndGuardFailures) {
  const auto timeline = build({.eagerSteps = 2, .compiledSteps = 8});
  std::array<int, 3> counts{};
  for (const Mark& mark : timeline->marks) ++counts[static_cast<size_t>(mark.kind)];
  EXPECT_EQ(counts, (std::array<int, 3>{8, 1, 1}));
  EXPECT_TRUE(std::is_sorted(timeline->marks.begin(), timeline->marks.end(),
                             [](auto& a, auto& b) { return a.time.startNs < b.time.startNs; }));
}

TEST_F(TimelineBuilderTest, ShowsStreamsCopiesAndCountersWhenThereIsAGpu) {
  const auto timeline = build({.eagerSteps = 2, .compiledSteps = 3, .layers = 2, .hasGpu = true});
  const Lane* stream = laneOf(*timeline, LaneKind::kStream);
  ASSERT_NE(stream, nullptr);
  EXPECT_EQ(stream->title, "stream 7");
  EXPECT_EQ(countOf(*stream, RowKind::kKernel, Category::kEager), 2 * 2 * 9);
  EXPECT_EQ(countOf(*stream, RowKind::kKernel, Category::kCompiled), 3 * 2 * 9);
  EXPECT_EQ(countOf(*stream, RowKind::kCopy, Category::kHost), 1);
  const Lane* traffic = laneOf(*timeline, LaneKind::kCounter);
  ASSERT_NE(traffic, nullptr);
  EXPECT_EQ(traffic->counters.size(), 2U);
  EXPECT_EQ(traffic->subtitle, "4.80 TB/s");
  EXPECT_EQ(laneOf(*build({.eagerSteps = 1, .compiledSteps = 1}), LaneKind::kStream), nullptr);
}

TEST_F(TimelineBuilderTest, DescribesEveryEventAndMark) {
  const auto timeline = build({.eagerSteps = 1, .compiledSteps = 6, .layers = 1, .hasGpu = true});
  for (size_t lane = 0; lane < timeline->lanes.size(); ++lane) {
    for (size_t row = 0; row < timeline->lanes[lane].rows.size(); ++row) {
      const Pick pick{Pick::Kind::kEvent, Pane::kCompiled, lane, row, 0};
      const Detail detail = timeline->describe(pick);
      EXPECT_FALSE(detail.title.isEmpty());
      ASSERT_FALSE(detail.sections.empty());
      EXPECT_FALSE(detail.sections[0].fields.empty());
    }
  }
  for (size_t mark = 0; mark < timeline->marks.size(); ++mark) {
    EXPECT_FALSE(
        timeline->describe({Pick::Kind::kMark, Pane::kCompiled, 0, 0, mark}).title.isEmpty());
  }
}

TEST_F(TimelineBuilderTest, TellsABreakWithReasonPlaceAndHint) {
  const auto timeline = build({.eagerSteps = 1, .compiledSteps = 3});
  const auto mark = std::find_if(
      timeline->marks.begin(), timeline->marks.end(),
      [](const Mark& each) { return each.kind == MarkKind::kBreak && each.time.lengthNs() > 0; });
  ASSERT_NE(mark, timeline->marks.end());
  const auto index = static_cast<size_t>(mark - timeline->marks.begin());
  const QString text =
      detailText(timeline->describe({Pick::Kind::kMark, Pane::kCompiled, 0, 0, index}));
  for (const char* wanted : {"graph break", "decodeStep", "aten::item", "Unsupported Tensor.item()",
                             "decode_service.cpp:41", "Use torch.where"}) {
    EXPECT_TRUE(text.contains(wanted)) << wanted << " in\n" << text.toStdString();
  }
}

TEST_F(TimelineBuilderTest, GivesUpWhenItIsToldTo) {
  auto loaded = analyzer::loadRun(record().toStdString());
  ASSERT_TRUE(loaded);
  const auto run = std::make_shared<const analyzer::Run>(std::move(*loaded));
  EXPECT_EQ(buildTimeline(run, [](int) { return false; }), nullptr);
}

TEST_F(TimelineBuilderTest, ShowsTheAnalyzersFindings) {
  auto loaded = analyzer::loadRun(record().toStdString());
  ASSERT_TRUE(loaded);
  const auto findings = findingViews(*loaded, analyzer::analyze(*loaded));
  EXPECT_TRUE(findings->verdict.contains("decodeStep")) << findings->verdict.toStdString();
  ASSERT_EQ(findings->list.size(), 2U);
  bool hasBreak = false, hasRecompile = false;
  for (const FindingView& finding : findings->list) {
    hasBreak |=
        finding.category == Category::kBreak && finding.place.contains("decode_service.cpp:41");
    hasRecompile |= finding.category == Category::kRecompile;
    EXPECT_TRUE(finding.timeNs.has_value());
    EXPECT_TRUE(detailText(finding.detail).contains("fix"));
  }
  EXPECT_TRUE(hasBreak);
  EXPECT_TRUE(hasRecompile);
}

}  // namespace
}  // namespace jitscope::gui
