#pragma once

#include <filesystem>
#include <string_view>

#include "trace/sink.h"

namespace jitscope::tests {

/// Writes rows given as text, one a line, e.g.
///
///     frame  frame=0 name="step" file="step.cpp" line=5
///     call   frame=0 attempt=0 at=10us..25us thread=1 outcome=hit
///     op     at=11us..12us thread=1 name="aten::matmul"
///
/// Tables and columns have the names of trace/schema.h; what is not given has the schema's default.
/// Values are numbers (with ns, us, ms or s), "text" (\n and \" are escapes), or the words of
/// outcome, origin and loss kind. `at=A..B` stands for start_ns and end_ns. Empty lines and lines
/// that start with # are skipped. Throws std::invalid_argument that names the line.
void writeRows(trace::EventSink& sink, std::string_view text);

/// Writes a trace file with those rows.
void writeTrace(const std::filesystem::path& path, std::string_view text);

}  // namespace jitscope::tests
