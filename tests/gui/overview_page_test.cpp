#include <gtest/gtest.h>

#include <QImage>
#include <QJsonArray>
#include <QLabel>
#include <QListView>

#include "gui/models/finding_list.h"
#include "gui/models/number_text.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/palette.h"
#include "tests/gui/command_line_report.h"
#include "tests/gui/page_test.h"

namespace jitscope::gui {
namespace {

class OverviewPage : public PageTest {
 protected:
  const Detail& numbers() { return *find<DetailPanel>("overview numbers")->detail(); }
};

TEST_F(OverviewPage, TellsEachFindingWithItsCauseAndFix) {
  const QString path = record();
  openFile(path, "overview");
  const QJsonArray findings = commandLineReport(path)["findings"].toArray();
  auto* cards = find<QListView>("cards");
  ASSERT_EQ(cards->model()->rowCount(), findings.size());
  for (int row = 0; row < findings.size(); ++row) {
    const QModelIndex card = cards->model()->index(row, 0);
    EXPECT_EQ(card.data().toString(), findings[row].toObject()["title"].toString());
    EXPECT_EQ(card.data(FindingList::kCauseRole).toString(),
              findings[row].toObject()["cause"].toString());
    EXPECT_EQ(card.data(FindingList::kFixRole).toString(),
              findings[row].toObject()["fix"].toString());
  }
  EXPECT_FALSE(find<QLabel>("overview verdict")->text().isEmpty());
}

TEST_F(OverviewPage, TellsTheNumbersThatTheCommandLineTells) {
  const QString path = record({.hasGpu = true});
  openFile(path, "overview");
  const QJsonObject report = commandLineReport(path);
  const QString text = detailText(numbers());
  const auto expectBar = [&text](const QString& name, int64_t totalNs, int64_t count) {
    const QString start = name + ": " + durationText(totalNs) + " · ";
    const QString end = "· " + countText(count) + "×";
    const qsizetype at = text.indexOf(start);
    EXPECT_GE(at, 0) << start.toStdString() << "\n" << text.toStdString();
    EXPECT_TRUE(text.mid(at).section('\n', 0, 0).endsWith(end)) << text.toStdString();
  };
  for (const char* served : {"eager", "compiled"}) {
    const QJsonObject times = report["frames"][0].toObject()[served].toObject();
    expectBar(served, times["total_ns"].toInteger(), times["calls"].toInteger());
  }
  for (const char* origin : {"eager", "compiled"}) {
    const QJsonObject times =
        report["kernels"].toObject()["by_origin"].toObject()[origin].toObject();
    expectBar(origin, times["total_ns"].toInteger(), times["count"].toInteger());
  }
}

TEST_F(OverviewPage, GoesToTheFindingThatIsChosen) {
  openFile(record(), "overview");
  auto* cards = find<QListView>("cards");
  cards->setCurrentIndex(cards->model()->index(1, 0));
  QTest::keyClick(cards, Qt::Key_Return);
  EXPECT_TRUE(find<QWidget>("timeline")->isVisible());
  EXPECT_EQ(find<DetailPanel>("detail")->detail()->title,
            cards->model()->index(1, 0).data().toString());
}

TEST_F(OverviewPage, GoesToAMarkByKeysAndByAClick) {
  openFile(record(), "overview");
  auto* marks = find<QWidget>("marks");
  marks->setFocus();
  QTest::keyClick(marks, Qt::Key_Right);
  QTest::keyClick(marks, Qt::Key_Return);
  EXPECT_TRUE(find<QWidget>("timeline")->isVisible());
  window.showPage(findPage("overview"));
  QTest::mouseClick(marks, Qt::LeftButton, {}, marks->rect().center());
  EXPECT_TRUE(find<QWidget>("timeline")->isVisible());
}

TEST_F(OverviewPage, DrawsEachKindOfMarkInItsColour) {
  openFile(record(), "overview");
  const QImage strip = find<QWidget>("marks")->grab().toImage();
  const auto pixelsOf = [&strip](MarkKind kind) {
    int count = 0;
    for (int y = 0; y < strip.height(); ++y) {
      for (int x = 0; x < strip.width(); ++x) {
        count += strip.pixel(x, y) == QColor(colourOf(kind)).rgb() ? 1 : 0;
      }
    }
    return count;
  };
  EXPECT_GT(pixelsOf(MarkKind::kBreak), 100);
  EXPECT_GT(pixelsOf(MarkKind::kRecompile), 10);
}

TEST_F(OverviewPage, SaysWhenThereIsNothingToMendAndNoGpu) {
  openFile(record({.eagerSteps = 3, .compiledSteps = 0}), "overview");
  EXPECT_EQ(find<QListView>("cards")->model()->rowCount(), 0);
  EXPECT_TRUE(detailText(numbers()).contains("No work of a GPU was recorded."));
}

}  // namespace
}  // namespace jitscope::gui
