#include "gui/models/cause_views.h"

#include <algorithm>

namespace jitscope::gui {

CellContent compileHistory(const CauseViews& views, const std::vector<int64_t>& frames) {
  using Kind = CellColumn::Kind;
  CellContent content;
  content.columns = {{"Entry", Kind::kCode},
                     {"Frame"},
                     {"What changed", Kind::kText, true},
                     {"Guard that failed", Kind::kCode, true},
                     {"Sizes", Kind::kText},
                     {"Compiling", Kind::kNumber},
                     {"Whole call", Kind::kNumber}};
  for (const CompileView& compile : views.compiles) {
    const bool isWanted =
        frames.empty() || std::find(frames.begin(), frames.end(), compile.frame) != frames.end();
    if (isWanted) content.rows.push_back(compile.cells);
  }
  return content;
}

}  // namespace jitscope::gui
