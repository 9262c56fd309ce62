#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace jitscope::gui {

/// One cell of a sheet.
struct SheetCell {
  QString text;
  std::optional<double> number;  ///< what it sorts by, if it is one
};

/// One line, as long as the columns of its sheet.
struct SheetLine {
  std::vector<SheetCell> cells;
  bool isFaint = false;  ///< nothing to look at: the same, or noise
};

/// One column.
struct SheetColumn {
  QString title;
  bool isNumber = false;  ///< aligned to the right
  bool isWord = false;    ///< words of the window, no names or numbers
  QString meaning;        ///< where the title alone does not say it
};

/// A small table that a worker made: an answer, or a part of a difference.
struct Sheet {
  QString title;
  std::vector<SheetColumn> columns;
  std::vector<SheetLine> lines;
  QString whyEmpty;  ///< in words, where there is nothing
};

}  // namespace jitscope::gui
