#pragma once

#include <Qt>

namespace jitscope::gui {

/// What stands in a column.
enum class ColumnKind {
  kText,    ///< words of the window
  kCode,    ///< names, places, code
  kNumber,  ///< aligned to the right, never cut
};

/// What the models of tables and trees say of a cell beside its text, and, in `headerData`, of a
/// column beside its title.
enum CellRole {
  kCellNumberRole = Qt::UserRole + 100,  ///< the raw number behind the text; none: it is no number
  kCellDotRole,                          ///< Category of a dot before the text, as int
  kCellCategoryRole,                     ///< Category whose colour the text has, as int
  kCellIsFaintRole,        ///< true: nothing to look at (no number, the same, or noise)
  kCellShareRole,          ///< 0..1, for a bar behind the text
  kCellShareCategoryRole,  ///< Category whose colour the bar has, as int; none: that of traffic
  kColumnKindRole,         ///< ColumnKind, as int
  kColumnIsWideRole,       ///< true: takes what the others leave
  kColumnTurnRole,         ///< where room is short these columns go, the lowest first, those of
                           ///< one turn together; none: stays
  kColumnIsUnusedRole,     ///< true: has nothing to show
};

}  // namespace jitscope::gui
