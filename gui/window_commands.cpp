#include "gui/window_commands.h"

#include <QFileDialog>

#include "gui/main_window.h"
#include "gui/pages/page_list.h"
#include "gui/recent_files.h"
#include "gui/theme_choice.h"

namespace jitscope::gui {
namespace {

void openChosen(MainWindow& window, const QString& path) {
  if (!path.isEmpty()) window.open(path.toStdString());
}

void addPages(MainWindow& window, std::vector<Command>& commands) {
  const auto pages = pageList();
  for (size_t i = 0; i < pages.size(); ++i) {
    commands.push_back({QString("Show page ") + pages[i].title, QString("Ctrl+%1").arg(i + 1),
                        [&window, i] { window.showPage(i); }});
  }
}

void addViews(MainWindow& window, std::vector<Command>& commands) {
  Selection& selection = window.selection();
  if (!selection.timeline()) return;
  const auto add = [&](const QString& title, const QString& key, std::function<void()> run) {
    commands.push_back({title, key, [&window, run = std::move(run)] {
                          window.showPage(findPage("timelines"));
                          run();
                        }});
  };
  add("Show the whole step", "F", [&selection] { selection.fitStep(); });
  add("Show the whole recording", "End", [&selection] { selection.fitRecording(); });
  add("Clear the selected range", "Esc", [&selection] { selection.setRange(std::nullopt); });
}

void addFindings(MainWindow& window, std::vector<Command>& commands) {
  for (int row = 0; row < window.findings().rowCount(); ++row) {
    const FindingView& finding = window.findings().finding(row);
    commands.push_back({"Finding: " + finding.title, finding.cost, [&window, row] {
                          window.selection().chooseFinding(static_cast<size_t>(row));
                        }});
  }
}

void addFiles(MainWindow& window, std::vector<Command>& commands) {
  commands.push_back({"Open a file …", "Ctrl+O", [&window] { chooseFile(window); }});
  commands.push_back({"Open a folder …", {}, [&window] {
                        openChosen(window, QFileDialog::getExistingDirectory(&window, "Open"));
                      }});
  for (const QString& path : RecentFiles::list()) {
    commands.push_back({"Open " + path, "recent", [&window, path] { openChosen(window, path); }});
  }
}

void addThemes(std::vector<Command>& commands) {
  for (const ThemeChoice choice : kThemeChoices) {
    const QString word = QString::fromStdString(themeWord(choice));
    commands.push_back({"Theme: " + word, {}, [choice] {
                          setTheme(themeFor(choice, systemTheme()));
                          keepTheme(choice);
                        }});
  }
}

}  // namespace

void chooseFile(MainWindow& window) {
  openChosen(window, QFileDialog::getOpenFileName(&window, "Open a recording"));
}

std::vector<Command> windowCommands(MainWindow& window) {
  std::vector<Command> commands;
  addPages(window, commands);
  addFiles(window, commands);
  addViews(window, commands);
  addFindings(window, commands);
  addThemes(commands);
  commands.push_back({"Quit", "Ctrl+Q", [&window] { window.close(); }});
  return commands;
}

}  // namespace jitscope::gui
