#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "gui/models/detail.h"
#include "gui/models/sheet.h"

namespace jitscope::gui {

/// One compilation of a frame, in the history of recompiles.
struct CompileView {
  int64_t frame = -1;  ///< index of the frame in the run
  QString frameName;
  int64_t startNs = 0;
  std::vector<SheetCell> cells;  ///< the number of the first is its place in `CauseViews::compiles`
};

/// One cause of breaks or recompiles.
struct CauseView {
  size_t finding = 0;           ///< its row in `Findings::list`
  std::vector<int64_t> frames;  ///< in which it happened; indices of the run
  Detail detail;
};

/// Why graphs broke and frames compiled again.
struct CauseViews {
  std::shared_ptr<const Sheet> causes =
      std::make_shared<const Sheet>();  ///< a row for each of `list`
  std::vector<CauseView> list;          ///< worst first
  std::vector<CompileView> compiles;    ///< by start time
  QString whyEmpty;                     ///< in words; empty when there is something
};

/// The compilations of some frames as a table; all of them when none is given. Of a single frame
/// without its name.
Sheet compileHistory(const CauseViews& views, const std::vector<int64_t>& frames);

}  // namespace jitscope::gui
