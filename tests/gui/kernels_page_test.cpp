#include "gui/pages/kernels_page.h"

#include <gtest/gtest.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include "analyzer/cli.h"
#include "gui/models/number_text.h"
#include "gui/pages/timelines_page.h"
#include "tests/gui/odd_recordings.h"
#include "tests/gui/shown_page_test.h"

namespace jitscope::gui {
namespace {

class KernelsPageTest : public ShownPageTest {
 protected:
  QTableView* view() { return part<QTableView>("Kernels"); }
  QString cell(int row, int column) {
    return view()->model()->index(row, column).data().toString();
  }
};

TEST_F(KernelsPageTest, HasTheNumbersOfTheCommandLinesReport) {
  const std::string path = record({.hasGpu = true}).toStdString();
  Recording recording;
  recording.run = std::make_shared<const analyzer::Run>(std::move(*analyzer::loadRun(path)));
  const GroupedKernels grouped = groupedKernels(recording);
  const auto command = [](auto& arguments, auto& output, auto& errors) {
    return analyzer::reportCommand(arguments, output, errors);
  };
  const std::string report = written(command, {path, "--format", "json"});
  const QJsonArray groups = QJsonDocument::fromJson(QByteArray::fromStdString(report))
                                .object()["kernels"]
                                .toObject()["groups"]
                                .toArray();
  ASSERT_GT(groups.size(), 3);
  ASSERT_EQ(groups.size(), static_cast<qsizetype>(grouped.lines->list.size()));
  for (qsizetype i = 0; i < groups.size(); ++i) {
    const QJsonObject group = groups[i].toObject();
    const KernelLine& line = grouped.lines->list[static_cast<size_t>(i)];
    EXPECT_EQ(line.name, group["name"].toString());
    EXPECT_EQ(line.origin, group["origin"].toString());
    EXPECT_EQ(line.graph, group["compile_id"].toString());
    EXPECT_EQ(line.count, group["count"].toInteger());
    EXPECT_EQ(line.totalNs, group["total_ns"].toInteger());
    EXPECT_EQ(line.meanNs, group["mean_ns"].toInteger());
    EXPECT_LE(line.meanNs, line.maxNs);
    const QJsonObject sampled = group["sampled"].toObject();
    EXPECT_EQ(line.sampledBytes.has_value(), !sampled.isEmpty());
  }
}

TEST_F(KernelsPageTest, FiltersWhileOneTypesAndKeepsTheChosenKernel) {
  openPage("kernels", record({.hasGpu = true}));
  const int all = view()->model()->rowCount();
  ASSERT_GT(all, 3);
  const QString last = cell(all - 1, 0);
  view()->setCurrentIndex(view()->model()->index(all - 1, 0));
  QTest::keyClicks(part<QLineEdit>("kernel_filter"), last);
  EXPECT_LT(view()->model()->rowCount(), all);
  EXPECT_EQ(view()->currentIndex().siblingAtColumn(0).data().toString(), last);
  part<QLineEdit>("kernel_filter")->clear();
  EXPECT_EQ(view()->model()->rowCount(), all);
  EXPECT_EQ(view()->currentIndex().row(), all - 1);
}

TEST_F(KernelsPageTest, GoesToTheSlowestOfAKernelByReturn) {
  openPage("kernels", record({.hasGpu = true}));
  const QString name = cell(0, KernelTable::kName), longest = cell(0, KernelTable::kMax);
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_Return);
  const Selection& selection = window.selection();
  ASSERT_TRUE(selection.pick().has_value());
  EXPECT_EQ(nameOf(*selection.timeline(), *selection.pick()), name);
  EXPECT_EQ(durationText(timeOf(*selection.timeline(), *selection.pick()).lengthNs()), longest);
  EXPECT_TRUE(window.findChild<TimelinesPage*>()->isVisible());
}

TEST_F(KernelsPageTest, TellsHowTheDurationsOfTheChosenKernelAreSpread) {
  openPage("kernels", record({.hasGpu = true}));
  const QString facts = part<QLabel>("kernel_facts")->text().replace(QChar::Nbsp, ' ');
  EXPECT_TRUE(facts.contains("longest " + cell(0, KernelTable::kMax))) << facts.toStdString();
  EXPECT_TRUE(part<QWidget>("histogram")->accessibleDescription().contains("median"));
}

TEST_F(KernelsPageTest, ShowsOperatorsWhereThereAreNoKernels) {
  openPage("kernels", record());
  EXPECT_TRUE(part<QLabel>("kernels_summary")->text().startsWith("No GPU kernels were recorded"));
  EXPECT_TRUE(cell(0, KernelTable::kName).startsWith("aten::"));
  EXPECT_EQ(view()->model()->headerData(0, Qt::Horizontal).toString(), "Operator");
}

TEST_F(KernelsPageTest, ShowsNoKernelOfTheRecordingBefore) {
  openPage("kernels", record({.hasGpu = true}));
  ASSERT_GT(view()->model()->rowCount(), 3);
  ASSERT_TRUE(writeRecording({}, file("other.jitscope").toStdString()));
  int rows = -1;
  QObject::connect(&window.loader(), &TraceLoader::recordingAvailable, view(), [&] {
    rows = view()->model()->rowCount();
    QTest::keyClick(view(), Qt::Key_Return);
    part<QLineEdit>("kernel_filter")->setText("a");
    part<QLineEdit>("kernel_filter")->clear();
  });
  openPage("kernels", file("other.jitscope"));
  EXPECT_EQ(rows, 0);
  EXPECT_TRUE(cell(0, KernelTable::kName).startsWith("aten::"));
}

TEST_F(KernelsPageTest, SaysInWordsWhyItIsEmpty) {
  const auto& all = oddRecordings();
  const auto found = std::find_if(all.begin(), all.end(), [](const auto& each) {
    return std::string(each.name) == "compilations alone";
  });
  ASSERT_NE(found, all.end());
  ASSERT_TRUE(writeOddRecording(*found, file("odd.jitscope").toStdString()));
  openPage("kernels", file("odd.jitscope"));
  const auto notes = window.findChildren<QLabel*>("empty");
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const QLabel* note) {
    return note->isVisible() && note->text().contains("no kernels and no operators");
  }));
  EXPECT_FALSE(view()->isVisible());
}

}  // namespace
}  // namespace jitscope::gui
