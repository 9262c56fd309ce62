#pragma once

#include <QString>
#include <QVariant>
#include <optional>
#include <vector>

#include "gui/models/cell_roles.h"
#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// One cell of a sheet.
struct SheetCell {
  QString text;
  std::optional<double> number = {};      ///< what it sorts by, if it is one
  std::optional<Category> category = {};  ///< the colour of a dot before the text
};

/// One line, as long as the columns of its sheet.
struct SheetLine {
  std::vector<SheetCell> cells;
  bool isFaint = false;  ///< nothing to look at: the same, or noise
};

/// One column.
struct SheetColumn {
  QString title;
  ColumnKind kind = ColumnKind::kText;
  bool isWide = false;        ///< takes what the others leave
  QString meaning = {};       ///< where the title alone does not say it
  bool isExpendable = false;  ///< goes where room is short
};

/// A table that a person reads, made elsewhere, on a worker too: causes, guards, an answer, a part
/// of a difference. Not for events, of which there are too many.
struct Sheet {
  QString title;
  std::vector<SheetColumn> columns;
  std::vector<SheetLine> lines;
  QString whyEmpty;  ///< in words, where there is nothing
};

/// What a model gives for a cell and for the head of its column, by `CellRole`.
QVariant cellData(const SheetCell& cell, const SheetColumn& column, int role);
QVariant columnData(const SheetColumn& column, int role);

}  // namespace jitscope::gui
