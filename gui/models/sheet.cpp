#include "gui/models/sheet.h"

#include "gui/models/number_text.h"
#include "gui/models/tool_tip.h"

namespace jitscope::gui {

QVariant cellData(const SheetCell& cell, const SheetColumn& column, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return cell.text;
    case Qt::ToolTipRole:
      return column.kind == ColumnKind::kNumber ? QVariant() : QVariant(toolTipOf(cell.text));
    case kCellNumberRole:
      return cell.number ? QVariant(*cell.number) : QVariant();
    case kCellDotRole:
      return cell.category ? QVariant(static_cast<int>(*cell.category)) : QVariant();
    case kCellIsFaintRole:
      return cell.text == kNoValue;
    default:
      return {};
  }
}

QVariant columnData(const SheetColumn& column, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return column.meaning;
    case kColumnKindRole:
      return static_cast<int>(column.kind);
    case kColumnIsWideRole:
      return column.isWide;
    case kColumnTurnRole:
      return column.isExpendable ? QVariant(0) : QVariant();
    default:
      return {};
  }
}

}  // namespace jitscope::gui
