#pragma once

#include <QAbstractItemModel>
#include <QStringList>
#include <string>

namespace jitscope::gui {

/// A table as text: one line a row, cells between bars.
inline std::string printed(const QAbstractItemModel& table) {
  QString text;
  for (int row = 0; row < table.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column)
      cells << table.index(row, column).data().toString();
    text += cells.join(" | ") + "\n";
  }
  return text.toStdString();
}

}  // namespace jitscope::gui
