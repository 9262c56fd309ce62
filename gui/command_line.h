#pragma once

#include <QSize>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gui/models/event_columns.h"
#include "gui/theme_choice.h"

namespace jitscope::gui {

/// What the command line asked for.
struct Options {
  std::string path;                ///< as given: file names need not be UTF-8
  std::string otherPath;           ///< a second recording, to compare with; may be empty
  std::string screenshot;          ///< empty: show a window
  std::string page = "timelines";  ///< word of the page list
  QSize size{1600, 900};
  std::optional<ThemeChoice> theme;  ///< none: as chosen before
  std::optional<TimeRange> range;    ///< of the timelines, since the recording's begin
  bool wantsHelp = false;
  bool wantsVersion = false;
};

/// Reads the arguments after the program's name. A string is the error, one line, naming the
/// nearest right option where there is one.
std::variant<Options, std::string> parseCommandLine(const std::vector<std::string>& arguments);

/// The text of --help.
const char* helpText();

}  // namespace jitscope::gui
