#pragma once

#include <QSettings>

namespace jitscope::gui {

/// What the window keeps between starts, in the user's own settings.
inline QSettings userSettings() { return QSettings("jitscope", "jitscope-gui"); }

}  // namespace jitscope::gui
