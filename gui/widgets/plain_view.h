#pragma once

class QKeyEvent;
class QListView;
class QTableView;

namespace jitscope::gui {

/// The look that the window's tables share: no frame and no grid, whole lines of `rowPx` pixels
/// that are selected at once, and a slim scroll bar. Tab leaves the table.
void setPlainLook(QTableView& table, int rowPx);

/// The same of lists whose lines may be of several heights, which follow the list's width.
void setPlainLook(QListView& list);

/// Lets the heads of a table that has its model sort. Until the first click the lines stand as the
/// model has them.
void sortByHeads(QTableView& table);

/// Sorts by the visible column of the digit that was pressed, again for the other direction. Gives
/// whether it was one.
bool sortByDigit(QTableView& table, const QKeyEvent& event);

}  // namespace jitscope::gui
