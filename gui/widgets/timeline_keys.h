#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace jitscope::gui {

/// What the keys and the mouse do, as the help shows it: keys, then their meaning.
const std::vector<std::pair<QString, QString>>& timelineKeys();

}  // namespace jitscope::gui
