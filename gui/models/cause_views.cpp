#include "gui/models/cause_views.h"

#include <algorithm>

namespace jitscope::gui {

Sheet compileHistory(const CauseViews& views, const std::vector<int64_t>& frames) {
  using Kind = ColumnKind;
  Sheet sheet;
  sheet.columns = {{"Entry", Kind::kCode},
                   {"What changed", Kind::kText, true},
                   {"Guard that failed", Kind::kCode, true},
                   {"Sizes", Kind::kText},
                   {"Compiling", Kind::kNumber},
                   {"Whole call", Kind::kNumber}};
  // Of one frame its name need not stand in each row.
  const bool hasFrame = frames.size() != 1;
  if (hasFrame) sheet.columns.insert(sheet.columns.begin() + 1, {"Frame"});
  for (const CompileView& compile : views.compiles) {
    const bool isWanted =
        frames.empty() || std::find(frames.begin(), frames.end(), compile.frame) != frames.end();
    if (!isWanted) continue;
    std::vector<SheetCell>& cells = sheet.lines.emplace_back(SheetLine{compile.cells}).cells;
    if (hasFrame) cells.insert(cells.begin() + 1, {compile.frameName});
  }
  return sheet;
}

}  // namespace jitscope::gui
