#pragma once

#include "gui/widgets/palette.h"

namespace jitscope::gui {

/// Brings the usual theme back at the end of a test.
class DarkAgain {
 public:
  DarkAgain() = default;
  ~DarkAgain() { setTheme(Theme::kDark); }
  DarkAgain(const DarkAgain&) = delete;
  DarkAgain& operator=(const DarkAgain&) = delete;
};

}  // namespace jitscope::gui
