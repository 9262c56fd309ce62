#include "gui/pages/query_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include "analyzer/cli.h"
#include "gui/loading/query_answer.h"
#include "gui/widgets/sql_edit.h"
#include "tests/gui/shown_page_test.h"

namespace jitscope::gui {
namespace {

constexpr int kPatienceMs = 30'000;
constexpr const char* kByName =
    "SELECT name, count(*) AS n, avg(end_ns - start_ns) AS mean FROM op GROUP BY name ORDER BY "
    "name";
constexpr const char* kEndless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/// The window holds the first rows of it; saved, it has no end.
constexpr const char* kEndlessRows =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

class QueryPageTest : public ShownPageTest {
 protected:
  void SetUp() override {
    path = record();
    openPage("query", path);
  }

  QString state() { return part<QLabel>("query_state")->text(); }
  QAbstractItemModel* model() { return part<QTableView>("Answer")->model(); }
  QPushButton* button(const char* name) { return part<QPushButton>(name); }
  bool isBusy() { return button("cancel")->isEnabled(); }

  /// Asks by the keyboard, and waits for the answer.
  void ask(const QString& sql) {
    auto* editor = part<SqlEdit>("sql");
    editor->setPlainText(sql);
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !isBusy(); }, kPatienceMs));
  }

  std::string answerOnCommandLine(const std::string& sql) {
    const auto command = [](auto& arguments, auto& output, auto& errors) {
      return analyzer::queryCommand(arguments, output, errors);
    };
    return written(command, {path.toStdString(), sql, "--format", "csv"});
  }

  /// The answer with commas between the cells, below its headings.
  std::string shown() {
    part<QTableView>("Answer")->clearSelection();
    QTest::mouseClick(button("copy"), Qt::LeftButton);
    return QApplication::clipboard()->text().replace('\t', ',').toStdString();
  }

  QString path;
};

TEST_F(QueryPageTest, AnswersAsTheCommandLineDoes) {
  ask(kByName);
  EXPECT_EQ(shown(), answerOnCommandLine(kByName));
}

TEST_F(QueryPageTest, ShowsAnAnswerAtFirstSight) { EXPECT_GT(model()->rowCount(), 3); }

TEST_F(QueryPageTest, SavesWhatTheCommandLineWrites) {
  ask(kByName);
  window.findChild<QueryPage*>()->save(file("answer.csv").toStdString());
  ASSERT_TRUE(QTest::qWaitFor([this] { return !isBusy(); }, kPatienceMs));
  EXPECT_TRUE(state().startsWith("saved as ")) << state().toStdString();
  QFile saved(file("answer.csv"));
  ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
  EXPECT_EQ(saved.readAll().toStdString(), answerOnCommandLine(kByName));
}

TEST_F(QueryPageTest, SavesOverNoRecordingAndSaysWhyItCannot) {
  ask(kByName);
  const qint64 size = QFile(path).size();
  for (const QString& target : {path, file("no/such/folder.csv")}) {
    window.findChild<QueryPage*>()->save(target.toStdString());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !isBusy(); }, kPatienceMs));
    EXPECT_TRUE(state().startsWith(target + ": ")) << state().toStdString();
  }
  EXPECT_EQ(QFile(path).size(), size);
}

TEST_F(QueryPageTest, KeepsTheAnswerAndTellsTheRemedyWhenAQueryIsWrong) {
  ask(kByName);
  const int rows = model()->rowCount();
  ask("SELECT * FROM kernl");
  EXPECT_TRUE(state().startsWith("no such table: kernl; there are finding, "))
      << state().toStdString();
  ask("SELECT nam FROM op");
  EXPECT_TRUE(state().contains("a table's name and a dot")) << state().toStdString();
  ask("DROP TABLE op");
  EXPECT_TRUE(state().contains("write a SELECT")) << state().toStdString();
  EXPECT_EQ(model()->rowCount(), rows);
}

TEST_F(QueryPageTest, TellsOneRemedyWhenAQueryNeedsMuchMemory) {
  Recording recording;
  recording.run =
      std::make_shared<const analyzer::Run>(std::move(*analyzer::loadRun(path.toStdString())));
  constexpr int64_t kMostBytes = 16 << 20;
  const QueryAnswer answer = answerOf(
      recording, "SELECT count(*) FROM (SELECT DISTINCT randomblob(1000) FROM op a, op b, op c)",
      {}, kMostBytes);
  EXPECT_EQ(answer.error,
            "the query needs more than 16.8 MB of memory: ask for fewer rows or columns before "
            "they are sorted or grouped, or use jitscope query --most-memory");
}

TEST_F(QueryPageTest, CanBeCancelledThoughNoRowComes) {
  auto* editor = part<SqlEdit>("sql");
  editor->setPlainText(kEndless);
  QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(isBusy());
  QTest::mouseClick(button("cancel"), Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([this] { return !isBusy(); }, kPatienceMs));
  EXPECT_EQ(state(), "cancelled");
  EXPECT_TRUE(button("run")->isEnabled());
}

TEST_F(QueryPageTest, LeavesNoFileOfASaveThatIsCancelled) {
  ask(kEndlessRows);
  window.findChild<QueryPage*>()->save(file("answer.csv").toStdString());
  ASSERT_TRUE(isBusy());
  QTest::keyClick(part<SqlEdit>("sql"), Qt::Key_Return, Qt::ControlModifier);
  EXPECT_EQ(state(), "saving …") << "one thing at a time";
  QTest::mouseClick(button("cancel"), Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([this] { return !isBusy(); }, kPatienceMs));
  EXPECT_EQ(state(), "cancelled, nothing is saved");
  EXPECT_FALSE(QFile::exists(file("answer.csv")));
}

TEST_F(QueryPageTest, ForgetsASaveWhenAnotherRecordingIsOpened) {
  ask(kEndlessRows);
  part<SqlEdit>("sql")->setPlainText("SELECT 1");
  window.findChild<QueryPage*>()->save(file("answer.csv").toStdString());
  ASSERT_TRUE(isBusy());
  openPage("query", path);
  EXPECT_EQ(state(), "1 row");
  EXPECT_FALSE(isBusy());
  EXPECT_FALSE(QFile::exists(file("answer.csv")));
}

TEST_F(QueryPageTest, LeavesNoQueryBehindWhenItIsClosed) {
  auto* editor = part<SqlEdit>("sql");
  editor->setPlainText(kEndless);
  QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
}

TEST_F(QueryPageTest, GoesThroughEarlierQueriesByKeys) {
  auto* editor = part<SqlEdit>("sql");
  ask("SELECT 1");
  ask("SELECT 2");
  QTest::keyClick(editor, Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(editor->toPlainText(), "SELECT 1");
  QTest::keyClick(editor, Qt::Key_Down, Qt::ControlModifier);
  EXPECT_EQ(editor->toPlainText(), "SELECT 2");
}

TEST_F(QueryPageTest, GoesThroughTheQueriesOfEarlierSessions) {
  ask("SELECT 3");
  ask("SELECT 4");
  QueryPage later(&window.selection());
  auto* editor = later.findChild<SqlEdit*>("sql");
  QTest::keyClick(editor, Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(editor->toPlainText(), "SELECT 4");
  QTest::keyClick(editor, Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(editor->toPlainText(), "SELECT 3");
}

TEST_F(QueryPageTest, CompletesTablesOfTheRun) {
  auto* editor = part<SqlEdit>("sql");
  editor->setPlainText("SELECT * FROM ");
  editor->moveCursor(QTextCursor::End);
  EXPECT_TRUE(editor->completions().contains("graph_break"));
  QTest::keyClicks(editor, "guard_f");
  QTest::keyClick(editor, Qt::Key_Tab);
  EXPECT_EQ(editor->toPlainText(), "SELECT * FROM guard_failure");
}

}  // namespace
}  // namespace jitscope::gui
