#pragma once

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include "gui/main_window.h"
#include "gui/pages/page_list.h"
#include "gui/screenshot.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {

/// A window with a recording, on one of its pages.
class PageTest : public RecordingTest {
 protected:
  /// Opens a file and waits until all pages have what they show.
  void openFile(const QString& path, std::string_view page) {
    constexpr int kPatienceMs = 60'000;
    window.resize(1600, 900);
    window.show();
    QSignalSpy finished(&window.loader(), &TraceLoader::finished);
    window.open(path.toStdString());
    ASSERT_TRUE(finished.wait(kPatienceMs));
    window.showPage(findPage(page));
    settlePages();
  }

  template <class Widget>
  Widget* find(const char* name) {
    auto* found = window.findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }

  MainWindow window;
};

}  // namespace jitscope::gui
