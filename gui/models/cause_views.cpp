#include "gui/models/cause_views.h"

#include <algorithm>

namespace jitscope::gui {

CellContent compileHistory(const CauseViews& views, const std::vector<int64_t>& frames) {
  using Kind = CellColumn::Kind;
  CellContent content;
  content.columns = {{"Entry", Kind::kCode},
                     {"What changed", Kind::kText, true},
                     {"Guard that failed", Kind::kCode, true},
                     {"Sizes", Kind::kText},
                     {"Compiling", Kind::kNumber},
                     {"Whole call", Kind::kNumber}};
  // Of one frame its name need not stand in each row.
  const bool hasFrame = frames.size() != 1;
  if (hasFrame) content.columns.insert(content.columns.begin() + 1, {"Frame"});
  for (const CompileView& compile : views.compiles) {
    const bool isWanted =
        frames.empty() || std::find(frames.begin(), frames.end(), compile.frame) != frames.end();
    if (!isWanted) continue;
    content.rows.push_back(compile.cells);
    if (hasFrame) content.rows.back().insert(content.rows.back().begin() + 1, {compile.frameName});
  }
  return content;
}

}  // namespace jitscope::gui
