#include "gui/loading/run_text.h"

#include "analyzer/frame_name.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

/// The longest names of templated kernels are a little shorter.
constexpr size_t kMostBytes = 4'000;

bool isInsideCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

QString toWholeText(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString toText(std::string_view text) {
  if (text.size() <= kMostBytes) return toWholeText(text);
  size_t end = kMostBytes;
  while (end > 0 && isInsideCharacter(text[end])) --end;
  return toWholeText(text.substr(0, end)) + "… (" +
         countedText(static_cast<int64_t>(text.size()), "byte") + ")";
}

QString toLine(std::string_view text) {
  QString line = toText(text);
  for (QChar& character : line) {
    if (character.isSpace() || character.category() == QChar::Other_Control) character = u' ';
  }
  return line;
}

QString textOf(const analyzer::Run& run, trace::StringId id) { return toText(run.text(id)); }

QString frameText(const analyzer::Run& run, analyzer::FrameIndex frame) {
  return analyzer::exists(frame) ? toLine(analyzer::frameName(run, frame)) : "unknown frame";
}

QString compileIdText(trace::FrameId frame, trace::AttemptId attempt) {
  return toText(analyzer::compileId(frame, attempt));
}

QString sinceStartText(const analyzer::Run& run, int64_t timeNs) {
  return "at " + durationText(timeNs - run.startNs) + " of the recording";
}

void addField(DetailSection& section, const QString& name, const QString& value) {
  if (!value.isEmpty()) section.fields.push_back({name, value});
}

void addCount(DetailSection& section, const QString& name, int64_t count) {
  if (count > 0) addField(section, name, countText(count));
}

}  // namespace jitscope::gui
