#include "analyzer/load/break_texts.h"

#include <map>
#include <tuple>

namespace jitscope::analyzer {
namespace {

using BreakKey = std::tuple<ProcessIndex, trace::FrameId, trace::AttemptId, trace::SegmentId>;

BreakKey keyOf(const Break& row) { return {row.process, row.frame, row.attempt, row.after}; }

}  // namespace

void fillBreakTexts(Run& run) {
  std::map<BreakKey, const Break*> told;
  for (const Break& row : run.breaks) {
    if (row.reason != trace::StringId{}) told.try_emplace(keyOf(row), &row);
  }
  for (Break& row : run.breaks) {
    const auto source = told.find(keyOf(row));
    if (source == told.end() || row.reason != trace::StringId{}) continue;
    const Break& from = *source->second;
    row.reason = from.reason;
    row.explanation = from.explanation;
    row.hint = from.hint;
    row.op = from.op;
    row.stack = from.stack;
  }
}

}  // namespace jitscope::analyzer
