#pragma once

#include <QString>
#include <string_view>

#include "gui/models/detail.h"

namespace jitscope::gui {

/// The first lines of a text, each cut where no panel is so wide; a last one tells how many more.
QStringList firstLines(const QString& text, int most);

/// A recorded stack in short: file, line and function of its innermost frames. Empty when there is
/// none.
DetailSection stackSection(std::string_view stack);

}  // namespace jitscope::gui
