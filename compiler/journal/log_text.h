#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/journal/journal.h"

/// \file
/// The texts of log messages, line by line as torch writes them, without their prefixes.
namespace jitscope::compiler {

/// `file:line` of the innermost line; "unknown" without lines.
std::string placeText(const std::vector<SourceLine>& lines);

/// A graph break; a repeated one goes without the user's stack.
std::string graphBreakText(const BreakReason& reason, const std::vector<SourceLine>& lines,
                           bool isFirst);

/// `Recompiling function NAME in FILE:LINE` and the first failing guard of each entry.
std::string recompileText(const FrameName& frame, const std::vector<GuardFailure>& failures);

/// The guards of an entry as a tree over what they look at.
std::string guardsText(const std::vector<GuardText>& guards);

/// A graph with its headline. `code` is what `printReadable` gives.
std::string graphCodeText(std::string_view name, std::string_view code);

/// "Segment 2 (5 operators) in user code at f.cpp:12 runs operator by operator: …".
std::string plainSegmentText(trace::SegmentId segment, int64_t opCount, std::string_view reason,
                             const std::vector<SourceLine>& lines);

/// "graph_0_0_0 (5 operators) is not compiled ahead of time, it runs eagerly: …".
std::string aotRefusedText(std::string_view graphName, int64_t opCount, std::string_view reason);

std::string recompileLimitText(const FrameName& frame, int64_t limit, std::string_view limitName,
                               std::string_view lastReason);

}  // namespace jitscope::compiler
