#include "gui/loading/run_text.h"

#include "analyzer/frame_name.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {

QString toText(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString textOf(const analyzer::Run& run, trace::StringId id) { return toText(run.text(id)); }

QString frameText(const analyzer::Run& run, analyzer::FrameIndex frame) {
  return analyzer::exists(frame) ? toText(analyzer::frameName(run, frame)) : "unknown frame";
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

}  // namespace jitscope::gui
