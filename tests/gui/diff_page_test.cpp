#include "gui/pages/diff_page.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>

#include "analyzer/cli.h"
#include "tests/gui/shown_page_test.h"

namespace jitscope::gui {
namespace {

constexpr int kPatienceMs = 30'000;

class DiffPageTest : public ShownPageTest {
 protected:
  void SetUp() override {
    before = record({.hasGpu = true});
    after = file("after.jitscope");
    ASSERT_TRUE(
        writeRecording({.compiledSteps = 24, .layers = 3, .hasGpu = true}, after.toStdString()));
  }

  DiffPage* page() { return window.findChild<DiffPage*>(); }
  QString verdict() { return part<QLabel>("diff_verdict")->text(); }

  void compare() {
    openPage("diff", before);
    auto* path = part<QLineEdit>("diff_after");
    path->setText(after);
    QTest::keyClick(path, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return verdict() != "comparing …"; }, kPatienceMs));
  }

  QJsonObject onCommandLine() {
    const auto command = [](auto& arguments, auto& output, auto& errors) {
      return analyzer::diffCommand(arguments, output, errors);
    };
    const std::string json =
        written(command, {before.toStdString(), after.toStdString(), "--format", "json"});
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
  }

  QString before, after;
};

std::optional<double> asNumber(const QJsonValue& value) {
  return value.isNull() ? std::nullopt : std::optional(value.toDouble());
}

TEST_F(DiffPageTest, HasTheNumbersOfTheCommandLine) {
  Recording recording;
  recording.run =
      std::make_shared<const analyzer::Run>(std::move(*analyzer::loadRun(before.toStdString())));
  recording.analysis = analyzer::analyze(*recording.run);
  const DiffSheets sheets = compareWith(recording, after.toStdString(), {});
  const QJsonObject expected = onCommandLine();
  const QJsonArray totals = expected["totals"].toArray();
  ASSERT_EQ(totals.size(), static_cast<qsizetype>(sheets.totals->lines.size()));
  for (qsizetype i = 0; i < totals.size(); ++i) {
    const auto& cells = sheets.totals->lines[static_cast<size_t>(i)].cells;
    EXPECT_EQ(cells[1].number, asNumber(totals[i].toObject()["before"]));
    EXPECT_EQ(cells[2].number, asNumber(totals[i].toObject()["after"]));
  }
  const std::vector<const char*> lists{"findings", "frames", "kernels", "operators"};
  for (size_t i = 0; i < lists.size(); ++i) {
    const QJsonArray list = expected[lists[i]].toArray();
    const auto& lines = sheets.details[i]->lines;
    ASSERT_EQ(list.size(), static_cast<qsizetype>(lines.size())) << lists[i];
    for (qsizetype at = 0; i > 0 && at < list.size(); ++at) {
      const QJsonObject wanted = list[at].toObject();
      const auto& cells = lines[static_cast<size_t>(at)].cells;
      EXPECT_EQ(cells[2].number,
                asNumber(wanted["before"].isNull() ? QJsonValue()
                                                   : wanted["before"].toObject()["count"]));
      EXPECT_EQ(cells[5].number,
                asNumber(wanted["after"].isNull() ? QJsonValue()
                                                  : wanted["after"].toObject()["median_ns"]));
    }
  }
}

TEST_F(DiffPageTest, ComparesByTheKeyboardAlone) {
  compare();
  EXPECT_TRUE(part<QTableView>("Totals of both recordings")->isVisible());
  EXPECT_GT(part<QTableView>("Totals of both recordings")->model()->rowCount(), 5);
  EXPECT_EQ(part<QTabBar>("diff_tabs")->count(), 4);
}

TEST_F(DiffPageTest, OpensTheFirstTabThatHasSomething) {
  before = record({.compiledSteps = 0, .layers = 4});
  ASSERT_TRUE(writeRecording({.compiledSteps = 0, .layers = 3}, after.toStdString()));
  compare();
  const auto* tabs = part<QTabBar>("diff_tabs");
  ASSERT_TRUE(tabs->tabText(0).endsWith(" 0")) << tabs->tabText(0).toStdString();
  const int current = tabs->currentIndex();
  for (int tab = 0; tab < current; ++tab) EXPECT_TRUE(tabs->tabText(tab).endsWith(" 0")) << tab;
  EXPECT_FALSE(tabs->tabText(current).endsWith(" 0")) << tabs->tabText(current).toStdString();
  EXPECT_GT(part<QTableView>("Differences")->model()->rowCount(), 0);
}

TEST_F(DiffPageTest, OpensTheFirstTabWhereNothingDiffers) {
  after = before;
  compare();
  EXPECT_EQ(part<QTabBar>("diff_tabs")->currentIndex(), 0);
}

TEST_F(DiffPageTest, HidesWhatIsTheSameUntilItIsWanted) {
  compare();
  auto* tabs = part<QTabBar>("diff_tabs");
  tabs->setCurrentIndex(2);
  const int changed = part<QTableView>("Differences")->model()->rowCount();
  part<QCheckBox>("diff_faint")->setChecked(true);
  EXPECT_GT(part<QTableView>("Differences")->model()->rowCount(), changed);
}

TEST_F(DiffPageTest, TakesTheSecondRecordingBeforeTheFirst) {
  window.findChild<DiffPage*>()->compareTo(after.toStdString());
  openPage("diff", before);
  ASSERT_TRUE(QTest::qWaitFor([this] { return verdict() != "comparing …"; }, kPatienceMs));
  EXPECT_GT(part<QTableView>("Totals of both recordings")->model()->rowCount(), 5);
}

TEST_F(DiffPageTest, ForgetsAComparisonThatIsNotWantedAnyMore) {
  openPage("diff", before);
  page()->compareTo(after.toStdString());
  EXPECT_EQ(verdict(), "comparing …");
  page()->compareTo({});
  settlePages();
  EXPECT_TRUE(verdict().startsWith("Choose a second recording")) << verdict().toStdString();
  EXPECT_FALSE(part<QTableView>("Totals of both recordings")->isVisible());
}

TEST_F(DiffPageTest, ShowsNoComparisonOfTheRecordingBefore) {
  compare();
  bool isShown = true;
  QObject::connect(&window.loader(), &TraceLoader::recordingAvailable, page(),
                   [&] { isShown = part<QTableView>("Totals of both recordings")->isVisible(); });
  openPage("diff", after);
  EXPECT_FALSE(isShown);
  EXPECT_TRUE(part<QTableView>("Totals of both recordings")->isVisible());
}

TEST_F(DiffPageTest, SaysWhyThereIsNothingToCompare) {
  openPage("diff", before);
  EXPECT_TRUE(verdict().startsWith("Choose a second recording"));
  after = file("absent.jitscope");
  compare();
  EXPECT_TRUE(verdict().startsWith(after + ": ")) << verdict().toStdString();
  EXPECT_FALSE(part<QTableView>("Totals of both recordings")->isVisible());
}

}  // namespace
}  // namespace jitscope::gui
