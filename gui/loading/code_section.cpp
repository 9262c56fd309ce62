#include "gui/loading/code_section.h"

#include "analyzer/place.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

constexpr int kMostStackLines = 8;
constexpr int kMostLineCharacters = 400;  ///< several times the width of the panel

}  // namespace

QStringList firstLines(const QString& text, int most) {
  QStringList lines = text.split('\n', Qt::SkipEmptyParts);
  const qsizetype rest = lines.size() - most;
  lines = lines.mid(0, most);
  for (QString& line : lines) line.truncate(kMostLineCharacters);
  if (rest <= 0) return lines;
  lines << "… " + countedText(rest, "line") + " more";
  return lines;
}

DetailSection stackSection(std::string_view stack) {
  DetailSection section;
  if (stack.empty()) return section;
  section.heading = "stack, innermost first";
  for (const QString& line : firstLines(toWholeText(stack), kMostStackLines)) {
    const auto frame = analyzer::parseStackLine(line.toStdString());
    QString shown = toLine(analyzer::shortText(frame));
    if (!frame.function.empty()) shown += "  " + toLine(frame.function);
    section.code << shown;
  }
  return section;
}

}  // namespace jitscope::gui
