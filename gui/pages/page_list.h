#pragma once

#include <QString>
#include <span>
#include <string_view>

#include "gui/pages/page.h"
#include "gui/selection.h"

namespace jitscope::gui {

/// A page that the window has.
struct PageEntry {
  std::string_view word;  ///< on the command line: --page WORD
  const char* title;      ///< in the page bar
  Page* (*make)(Selection* selection);
};

/// All pages, in the order of the page bar and of Ctrl+1, Ctrl+2, …
std::span<const PageEntry> pageList();

/// Where the page of that word stands in the list; its size when there is none.
size_t findPage(std::string_view word);

}  // namespace jitscope::gui
