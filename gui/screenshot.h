#pragma once

#include <QString>

#include "gui/main_window.h"

namespace jitscope::gui {

/// Loads `path` in `window`, waits until everything is drawn, and writes the picture to `file`.
/// Gives the empty string, or the error in one line. Runs an event loop of its own.
QString takeScreenshot(MainWindow& window, const QString& path, const QString& file);

}  // namespace jitscope::gui
