#include "gui/pages/page_list.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QStackedWidget>

#include "tests/gui/odd_recordings.h"
#include "tests/gui/page_test.h"

namespace jitscope::gui {
namespace {

class PageList : public PageTest {
 protected:
  size_t shownPage() {
    return static_cast<size_t>(window.findChild<QStackedWidget*>("pages")->currentIndex());
  }
};

TEST_F(PageList, FindsPagesByTheirWord) {
  for (size_t i = 0; i < pageList().size(); ++i) EXPECT_EQ(findPage(pageList()[i].word), i);
  EXPECT_EQ(findPage("no such page"), pageList().size());
}

TEST_F(PageList, ShowsAPageByItsKeys) {
  openFile(record(), "timelines");
  for (size_t i = 0; i < pageList().size(); ++i) {
    const auto key = static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i));
    QTest::keyClick(&window, key, Qt::ControlModifier);
    EXPECT_EQ(shownPage(), i) << pageList()[i].title;
    EXPECT_NE(QApplication::focusWidget(), nullptr);
  }
}

TEST_F(PageList, KeepsTheKeysOnAPageThatHasNothing) {
  for (const OddRecording& odd : oddRecordings()) {
    const QString name = odd.name;
    if (name != "nothing" && name != "compilations alone") continue;
    const QString path = file(name + ".jitscope");
    ASSERT_TRUE(writeOddRecording(odd, path.toStdString()));
    for (size_t i = 0; i < pageList().size(); ++i) {
      const auto hasKeys = [this] {
        const QWidget* page = window.findChild<QStackedWidget*>("pages")->currentWidget();
        const QWidget* focused = window.focusWidget();
        return focused == page || page->isAncestorOf(focused);
      };
      openFile(path, pageList()[i].word);
      EXPECT_TRUE(hasKeys()) << name.toStdString() << ", then " << pageList()[i].word;
      openFile(path, pageList()[i].word);
      EXPECT_TRUE(hasKeys()) << name.toStdString() << " on " << pageList()[i].word;
    }
  }
}

TEST_F(PageList, ShowsAPageByItsButton) {
  openFile(record(), "timelines");
  const auto buttons = window.findChildren<QAbstractButton*>();
  for (size_t i = 0; i < pageList().size(); ++i) {
    const auto button = std::find_if(buttons.begin(), buttons.end(), [i](const auto* each) {
      return each->accessibleName() == pageList()[i].title;
    });
    ASSERT_NE(button, buttons.end()) << pageList()[i].title;
    QTest::mouseClick(*button, Qt::LeftButton);
    EXPECT_EQ(shownPage(), i);
    EXPECT_TRUE((*button)->isChecked());
  }
}

}  // namespace
}  // namespace jitscope::gui
