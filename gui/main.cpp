#include <QApplication>
#include <QStyleFactory>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "gui/command_line.h"
#include "gui/main_window.h"
#include "gui/models/number_text.h"
#include "gui/pages/diff_page.h"
#include "gui/pages/page_list.h"
#include "gui/recent_files.h"
#include "gui/screenshot.h"
#include "gui/theme_choice.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kWrongOption = 2;
constexpr int kBadInput = 3;

/// Says it in one line, whatever characters a file's name has.
int fail(int status, QString text) {
  for (QChar& character : text) {
    if (character.category() == QChar::Other_Control) character = QChar::ReplacementCharacter;
  }
  std::fprintf(stderr, "jitscope-gui: %s\n", qPrintable(text));
  return status;
}

/// Qt's own remarks (plug-ins, missing folders) are not for the user; what stops the program is.
void printOnlyFatal(QtMsgType type, const QMessageLogContext&, const QString& text) {
  const QString line = text.section('\n', 0, 0);
  if (type == QtCriticalMsg) fail(0, line);
  if (type != QtFatalMsg) return;
  // Qt would abort; a display that cannot be reached is the world's fault, and no reason for a
  // core.
  std::_Exit(fail(kBadInput, line + " For a picture without a display: --screenshot FILE.png"));
}

bool hasDisplay() {
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

/// Gives the error, where the recording has nothing there.
QString showRange(Selection& selection, TimeRange sinceBegin) {
  const TimeRange extent = selection.timeline()->extent;
  if (sinceBegin.startNs >= extent.lengthNs()) {
    return QString("--range %1..%2: the recording is %3 long")
        .arg(durationText(sinceBegin.startNs), durationText(sinceBegin.endNs),
             durationText(extent.lengthNs()));
  }
  const int64_t endNs = std::min(sinceBegin.endNs, extent.lengthNs());
  selection.show({extent.startNs + sinceBegin.startNs, extent.startNs + endNs});
  return {};
}

int showWindow(MainWindow& window, const Options& options) {
  int status = 0;
  bool hasTimeline = false;
  QObject::connect(&window.loader(), &TraceLoader::timelineAvailable, &window, [&] {
    const bool isFirst = !std::exchange(hasTimeline, true);
    if (!isFirst || !options.range) return;
    const QString error = showRange(window.selection(), *options.range);
    if (!error.isEmpty()) fail(kBadInput, error);
  });
  QObject::connect(&window.loader(), &TraceLoader::recordingAvailable, &window,
                   [](const auto& recording) { RecentFiles::add(recording->run->path); });
  QObject::connect(&window.loader(), &TraceLoader::failed, &window, [&](const QString& text) {
    fail(kBadInput, text);
    // A window without a recording would only hide the message.
    if (!hasTimeline) QCoreApplication::exit(status = kBadInput);
  });
  window.show();
  window.open(options.path);
  const int exitStatus = QApplication::exec();
  return status != 0 ? status : exitStatus;
}

int drawPicture(MainWindow& window, const Options& options) {
  const QString error =
      takeScreenshot(window, options.path, options.screenshot, [&window, &options] {
        const QString problem =
            options.range ? showRange(window.selection(), *options.range) : QString();
        return problem.isEmpty() ? window.findChild<DiffPage*>()->error() : problem;
      });
  return error.isEmpty() ? 0 : fail(kBadInput, error);
}

/// Pictures look the same whatever was chosen in a window.
Theme wishedTheme(const Options& options) {
  const bool isPicture = !options.screenshot.empty();
  const ThemeChoice otherwise = isPicture ? ThemeChoice::kSystem : keptTheme();
  return themeFor(options.theme.value_or(otherwise), systemTheme());
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const auto parsed = parseCommandLine(arguments);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    return fail(kWrongOption, QString::fromStdString(*error));
  }
  const auto& options = std::get<Options>(parsed);
  if (options.wantsHelp) return std::fputs(helpText(), stdout) < 0 ? 1 : 0;
  if (options.wantsVersion) return std::puts("jitscope-gui " JITSCOPE_VERSION) < 0 ? 1 : 0;
  if (!options.screenshot.empty() && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (!hasDisplay()) {
    return fail(kBadInput, "no display to show a window on; use --screenshot FILE.png");
  }
  qInstallMessageHandler(printOnlyFatal);
  // Qt gets no arguments: all of them are ours, a PATH that begins with a dash too.
  int onlyName = std::min(argc, 1);
  QApplication application(onlyName, argv);
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  setTheme(wishedTheme(options));
  QApplication::setFont(interfaceFont(12));
  MainWindow window;
  window.resize(options.size);
  window.showPage(findPage(options.page));
  if (!options.otherPath.empty()) window.findChild<DiffPage*>()->compareTo(options.otherPath);
  return options.screenshot.empty() ? showWindow(window, options) : drawPicture(window, options);
}

}  // namespace
}  // namespace jitscope::gui

int main(int argc, char** argv) {
  try {
    return jitscope::gui::run(argc, argv);
  } catch (const std::exception& error) {
    return jitscope::gui::fail(1, error.what());
  }
}
