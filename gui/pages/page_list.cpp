#include "gui/pages/page_list.h"

#include <algorithm>
#include <array>

#include "gui/pages/breaks_page.h"
#include "gui/pages/diff_page.h"
#include "gui/pages/graphs_page.h"
#include "gui/pages/kernels_page.h"
#include "gui/pages/overview_page.h"
#include "gui/pages/query_page.h"
#include "gui/pages/timelines_page.h"

namespace jitscope::gui {
namespace {

template <class Made>
Page* make(Selection* selection) {
  return new Made(selection);
}

}  // namespace

std::span<const PageEntry> pageList() {
  static constexpr std::array kPages{
      PageEntry{"overview", "Overview", make<OverviewPage>},
      PageEntry{"timelines", "Timelines", make<TimelinesPage>},
      PageEntry{"graphs", "Graphs", make<GraphsPage>},
      PageEntry{"breaks", "Breaks, recompiles", make<BreaksPage>},
      PageEntry{"kernels", "Kernels", make<KernelsPage>},
      PageEntry{"diff", "Diff", make<DiffPage>},
      PageEntry{"query", "Query", make<QueryPage>},
  };
  return kPages;
}

size_t findPage(std::string_view word) {
  const auto pages = pageList();
  const auto found = std::find_if(pages.begin(), pages.end(),
                                  [word](const PageEntry& page) { return page.word == word; });
  return static_cast<size_t>(found - pages.begin());
}

}  // namespace jitscope::gui
