#pragma once

#include <vector>

class QAbstractItemModel;
class QHeaderView;

namespace jitscope::gui {

/// How wide each column must be for what stands in its first lines, and the first lines below them;
/// 0 for columns that have nothing to show. A tree's first column needs `indentPx` a level more.
std::vector<int> neededWidths(const QAbstractItemModel& model, int indentPx = 0);

/// Divides `roomPx` among columns that need `needed`. Where room is short, those with a turn to go
/// go (`kColumnTurnRole`), then texts give way; no number is cut. Wide columns share what is
/// left, each by its need.
/// Without wide ones there may be more columns than room.
void divideRoom(QHeaderView& header, const std::vector<int>& needed, int roomPx);

/// Whether `model` has a column that takes what the others leave.
bool hasWideColumn(const QAbstractItemModel& model);

}  // namespace jitscope::gui
