#pragma once

#include <QString>
#include <filesystem>
#include <functional>

#include "gui/main_window.h"

namespace jitscope::gui {

/// Lets workers end and shows what they made, until nothing more comes of it. For pictures and
/// tests: handles the window's events meanwhile.
void settlePages();

/// Loads `path` in `window`, waits until everything is drawn, and writes the picture to `file`. Of
/// what `file` already holds only a picture or nothing is replaced. Gives the empty string, or the
/// error in one line. Runs an event loop of its own. `prepare` comes between loading and drawing;
/// if it gives an error nothing is drawn.
QString takeScreenshot(MainWindow& window, const std::filesystem::path& path,
                       const std::filesystem::path& file,
                       const std::function<QString()>& prepare = {});

}  // namespace jitscope::gui
