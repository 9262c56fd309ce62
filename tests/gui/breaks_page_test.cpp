#include <gtest/gtest.h>

#include <QJsonArray>
#include <QLabel>
#include <QTableView>
#include <algorithm>

#include "gui/loading/source_excerpt.h"
#include "gui/models/cell_roles.h"
#include "gui/widgets/detail_panel.h"
#include "tests/gui/command_line_report.h"
#include "tests/gui/page_test.h"

namespace jitscope::gui {
namespace {

class BreaksPage : public PageTest {};

TEST_F(BreaksPage, ListsTheCausesThatTheCommandLineTells) {
  const QString path = record();
  openFile(path, "breaks");
  const QJsonArray findings = commandLineReport(path)["findings"].toArray();
  const QAbstractItemModel& causes = *find<QTableView>("Causes")->model();
  ASSERT_EQ(findings.size(), 2);
  ASSERT_EQ(causes.rowCount(), 2);
  for (int row = 0; row < causes.rowCount(); ++row) {
    const QJsonObject finding = findings[row].toObject();
    EXPECT_EQ(causes.index(row, 0).data().toString(), finding["title"].toString());
    EXPECT_EQ(causes.index(row, 2).data(kCellNumberRole).toLongLong(),
              finding["count"].toInteger());
    EXPECT_EQ(causes.index(row, 3).data(kCellNumberRole).toLongLong(),
              finding["cost"].toObject()["time_ns"].toInteger());
  }
}

TEST_F(BreaksPage, SortsCausesByTheirNames) {
  openFile(record(), "breaks");
  QAbstractItemModel& causes = *find<QTableView>("Causes")->model();
  ASSERT_EQ(causes.rowCount(), 2);
  const auto titleAt = [&](int row) { return causes.index(row, 0).data().toString(); };
  causes.sort(0, Qt::AscendingOrder);
  EXPECT_LT(titleAt(0), titleAt(1));
  causes.sort(0, Qt::DescendingOrder);
  EXPECT_GT(titleAt(0), titleAt(1));
}

TEST_F(BreaksPage, TellsEachRecompilationWithItsCost) {
  const QString path = record();
  openFile(path, "breaks");
  const QJsonArray recompiles = commandLineReport(path)["recompiles"].toArray();
  const QAbstractItemModel& history = *find<QTableView>("Compilations")->model();
  ASSERT_EQ(recompiles.size(), 1);
  ASSERT_EQ(history.rowCount(), 2) << "the first compilation and the recompilation";
  EXPECT_EQ(history.index(0, 1).data().toString(), "first call");
  EXPECT_EQ(history.index(1, 0).data().toString(), recompiles[0].toObject()["id"].toString());
  EXPECT_EQ(history.index(1, 4).data(kCellNumberRole).toLongLong(),
            recompiles[0].toObject()["compile_ns"].toInteger());
}

TEST_F(BreaksPage, ShowsCauseAndFixOfTheChosenOneAndGoesToTheTimelines) {
  openFile(record(), "breaks");
  auto* causes = find<QTableView>("Causes");
  auto* cause = find<DetailPanel>("cause");
  ASSERT_TRUE(cause->detail().has_value()) << "the worst one is chosen";
  QTest::keyClick(causes, Qt::Key_Down);
  EXPECT_EQ(cause->detail()->title, causes->model()->index(1, 0).data().toString());
  EXPECT_EQ(cause->detail()->sections[0].heading, "cause");
  EXPECT_EQ(cause->detail()->sections[1].heading, "fix");
  QTest::keyClick(causes, Qt::Key_Return);
  EXPECT_TRUE(find<QWidget>("timeline")->isVisible());
  EXPECT_EQ(find<DetailPanel>("detail")->detail()->title, cause->detail()->title);
}

TEST_F(BreaksPage, GoesFromACompilationToItsTime) {
  openFile(record(), "breaks");
  auto* history = find<QTableView>("Compilations");
  history->setFocus();
  history->selectRow(1);
  QTest::keyClick(history, Qt::Key_Return);
  EXPECT_TRUE(find<QWidget>("timeline")->isVisible());
}

TEST_F(BreaksPage, SaysWhyItIsEmpty) {
  openFile(record({.compiledSteps = 0}), "breaks");
  const auto notes = window.findChildren<QLabel*>("empty");
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const QLabel* note) {
    return note->isVisible() && note->text().startsWith("No graph break and no recompile");
  }));
}

TEST_F(BreaksPage, TakesNoRowOfTheRecordingBefore) {
  openFile(record(), "breaks");
  auto* causes = find<QTableView>("Causes");
  ASSERT_EQ(causes->model()->rowCount(), 2);
  const QString other = file("other.jitscope");
  ASSERT_TRUE(writeRecording({.compiledSteps = 0}, other.toStdString()));
  // At once when the other recording comes, before the page has what it shows of it.
  bool hasCome = false;
  QObject::connect(&window.loader(), &TraceLoader::recordingAvailable, causes, [&] {
    hasCome = true;
    QTest::keyClick(causes, Qt::Key_Return);
    EXPECT_EQ(causes->model()->rowCount(), 0);
  });
  openFile(other, "breaks");
  EXPECT_TRUE(hasCome);
}

TEST_F(BreaksPage, DoesNotFollowAFindingThatIsNotThere) {
  openFile(record(), "breaks");
  window.selection().chooseFinding(99);
  EXPECT_TRUE(find<QTableView>("Causes")->isVisible());
}

class SourceExcerpt : public RecordingTest {
 protected:
  static DetailSection sourceExcerpt(const std::string& path, int64_t line, int64_t recordedNs) {
    return SourceExcerpts(recordedNs).around(path, line);
  }

  QString write(const QByteArray& text) {
    const QString path = file("model.py");
    QFile target(path);
    EXPECT_TRUE(target.open(QIODevice::WriteOnly));
    target.write(text);
    return path;
  }
};

constexpr int64_t kLater = 4'000'000'000'000'000'000;

TEST_F(SourceExcerpt, ShowsTheLinesAroundAPlaceAndMarksIt) {
  const std::string path = write("a\nb\nc\nd\ne\n\tf\r\ng\nh\ni\nj\n").toStdString();
  const DetailSection section = sourceExcerpt(path, 5, kLater);
  EXPECT_EQ(section.code, (QStringList{"  2  b", "  3  c", "  4  d", "› 5  e", "  6      f",
                                       "  7  g", "  8  h"}));
  EXPECT_TRUE(section.prose.isEmpty());
  EXPECT_EQ(sourceExcerpt(path, 1, kLater).code.first(), "› 1  a");
}

TEST_F(SourceExcerpt, SaysWhenTheFileIsNewerThanTheRecording) {
  const std::string path = write("a\n").toStdString();
  EXPECT_TRUE(sourceExcerpt(path, 1, 0).prose.contains("changed since"));
}

TEST_F(SourceExcerpt, IsEmptyWhereThereIsNothingToShow) {
  const std::string path = write("a\n").toStdString();
  EXPECT_TRUE(sourceExcerpt(path, 99, kLater).code.isEmpty());
  EXPECT_TRUE(sourceExcerpt(path, 0, kLater).code.isEmpty());
  EXPECT_TRUE(sourceExcerpt(file("absent.py").toStdString(), 1, kLater).code.isEmpty());
  EXPECT_TRUE(sourceExcerpt("/dev/zero", 1, kLater).code.isEmpty());
  EXPECT_TRUE(sourceExcerpt("module+0x10", 1, kLater).code.isEmpty());
  EXPECT_TRUE(sourceExcerpt(write("").toStdString(), 1, kLater).code.isEmpty());
}

TEST_F(SourceExcerpt, ReadsNoFileWithoutASizeAndNoneThatIsTooLong) {
  // The kernel makes these up as they are read: some of them have no end.
  EXPECT_TRUE(sourceExcerpt("/proc/self/status", 1, kLater).code.isEmpty());
  EXPECT_TRUE(sourceExcerpt("/proc/self/pagemap", 1, kLater).code.isEmpty());
  const std::string path = write(QByteArray(4'000'001, '\n')).toStdString();
  EXPECT_TRUE(sourceExcerpt(path, 1, kLater).code.isEmpty());
}

TEST_F(SourceExcerpt, ReadsAFileOnceForManyPlaces) {
  SourceExcerpts excerpts(kLater);
  const QString path = write("a\nb\n");
  EXPECT_FALSE(excerpts.around(path.toStdString(), 1).code.isEmpty());
  ASSERT_TRUE(QFile::remove(path));
  EXPECT_EQ(excerpts.around(path.toStdString(), 2).code,
            (QStringList{"  1  a", "› 2  b", "  3  "}));
  EXPECT_TRUE(excerpts.around(file("absent.py").toStdString(), 1).code.isEmpty());
  EXPECT_TRUE(excerpts.around(path.toStdString(), 1).code.isEmpty());
}

}  // namespace
}  // namespace jitscope::gui
