#pragma once

#include <vector>

#include "gui/models/command_list.h"

namespace jitscope::gui {

class MainWindow;

/// Everything that the command palette offers: pages, views of the timelines, findings, recordings
/// to open, themes. The window must outlive the commands.
std::vector<Command> windowCommands(MainWindow& window);

/// Asks for a recording, and opens it.
void chooseFile(MainWindow& window);

}  // namespace jitscope::gui
