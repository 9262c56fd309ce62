#pragma once

#include <QTest>
#include <sstream>
#include <string>
#include <vector>

#include "gui/main_window.h"
#include "gui/pages/page_list.h"
#include "gui/screenshot.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {

/// A test of one page in a window that shows a recording.
class ShownPageTest : public RecordingTest {
 protected:
  /// Shows a recording on a page, and waits until the page has all of it.
  void openPage(std::string_view word, const QString& path) {
    window.resize(1280, 720);
    window.showPage(findPage(word));
    ASSERT_EQ(takeScreenshot(window, path.toStdString(), file("page.png").toStdString()),
              QString());
  }

  template <class Widget>
  Widget* part(const char* name) {
    auto* found = window.findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }

  /// What a command of the analyzer writes.
  template <class Command>
  static std::string written(Command command, const std::vector<std::string>& arguments) {
    std::ostringstream output, errors;
    EXPECT_EQ(command(arguments, output, errors), 0) << errors.str();
    return output.str();
  }

  MainWindow window;
};

}  // namespace jitscope::gui
