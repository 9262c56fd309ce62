#pragma once

#include <Qt>

namespace jitscope::gui {

/// What the tables of pages say of a cell beside its text.
enum CellRole {
  kCellCategoryRole = Qt::UserRole + 100,  ///< Category whose colour the text has, as int
  kCellIsFaintRole,                        ///< true: nothing to look at (no number, or noise)
  kCellIsWordRole,                         ///< true: a word of the window, no name or number
  kCellShareRole,                          ///< 0..1, for a bar behind the text
};

}  // namespace jitscope::gui
