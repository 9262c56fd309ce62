#include "gui/models/command_list.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QStringList>

namespace jitscope::gui {
namespace {

QStringList shown(const CommandList& list) {
  QStringList titles;
  for (int row = 0; row < list.rowCount(); ++row) titles << list.index(row).data().toString();
  return titles;
}

class Commands : public testing::Test {
 protected:
  Commands() : tester(&list, QAbstractItemModelTester::FailureReportingMode::Fatal) {
    list.reset({{"Go to page Timelines", "Ctrl+2", [this] { ran = "timelines"; }},
                {"Go to page Graphs", "Ctrl+3", [this] { ran = "graphs"; }},
                {"Open a recording …", {}, [this] { ran = "open"; }}});
  }

  CommandList list;
  QAbstractItemModelTester tester;
  QString ran;
};

TEST_F(Commands, AllShowUntilSomethingIsTyped) {
  EXPECT_EQ(list.rowCount(), 3);
  EXPECT_EQ(list.index(0).data(CommandList::kHintRole).toString(), "Ctrl+2");
}

TEST_F(Commands, MatchLettersInTheirOrderWhateverTheirCase) {
  list.filter("GRA");
  EXPECT_EQ(shown(list), QStringList{"Go to page Graphs"});
  list.command(0).run();
  EXPECT_EQ(ran, "graphs");
  list.filter("orec");
  EXPECT_EQ(shown(list), QStringList{"Open a recording …"});
  list.filter("zzz");
  EXPECT_EQ(list.rowCount(), 0);
  list.filter({});
  EXPECT_EQ(list.rowCount(), 3);
}

TEST_F(Commands, PutTheTightestMatchFirst) {
  list.filter("g");
  EXPECT_EQ(shown(list).first(), "Go to page Timelines") << "equal ones keep their order";
  list.filter("gt");
  EXPECT_EQ(shown(list).first(), "Go to page Timelines");
}

}  // namespace
}  // namespace jitscope::gui
