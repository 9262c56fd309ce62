#pragma once

#include <QString>
#include <string_view>

#include "analyzer/run.h"
#include "gui/models/detail.h"

namespace jitscope::gui {

/// \file
/// Texts of a run for the window.

/// UTF-8 as Qt has it: what is no UTF-8 is replaced, and what no window could show is cut, with the
/// length said.
QString toText(std::string_view text);

/// The same on one line: for names and titles.
QString toLine(std::string_view text);

/// All of a text, for stacks and code of which only the first lines are shown.
QString toWholeText(std::string_view text);

/// The run's text of `id` by `toText`; empty when there is none.
QString textOf(const analyzer::Run& run, trace::StringId id);

/// What a frame is called, as in reports; "unknown frame" for kNone.
QString frameText(const analyzer::Run& run, analyzer::FrameIndex frame);

/// The compile id `F/C`.
QString compileIdText(trace::FrameId frame, trace::AttemptId attempt);

/// A time of the recording, counted from its start: "at 14.2 ms of the recording".
QString sinceStartText(const analyzer::Run& run, int64_t timeNs);

/// Adds a field, unless its value is empty.
void addField(DetailSection& section, const QString& name, const QString& value);

/// Adds a count, unless it is 0: where a file does not tell a number, that is what stands there.
void addCount(DetailSection& section, const QString& name, int64_t count);

}  // namespace jitscope::gui
