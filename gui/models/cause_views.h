#pragma once

#include <QString>
#include <vector>

#include "gui/models/cell_table.h"
#include "gui/models/detail.h"

namespace jitscope::gui {

/// One compilation of a frame, in the history of recompiles.
struct CompileView {
  int64_t frame = -1;  ///< index of the frame in the run
  QString frameName;
  int64_t startNs = 0;
  std::vector<Cell> cells;  ///< the number of the first is its place in `CauseViews::compiles`
};

/// One cause of breaks or recompiles.
struct CauseView {
  size_t finding = 0;           ///< its row in `Findings::list`
  std::vector<int64_t> frames;  ///< in which it happened; indices of the run
  Detail detail;
};

/// Why graphs broke and frames compiled again.
struct CauseViews {
  CellContent causes;                 ///< a row for each of `list`
  std::vector<CauseView> list;        ///< worst first
  std::vector<CompileView> compiles;  ///< by start time
  QString whyEmpty;                   ///< in words; empty when there is something
};

/// The compilations of some frames as a table; all of them when none is given. Of a single frame
/// without its name.
CellContent compileHistory(const CauseViews& views, const std::vector<int64_t>& frames);

}  // namespace jitscope::gui
