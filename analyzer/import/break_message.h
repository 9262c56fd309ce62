#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// What Dynamo says when it breaks a graph or gives up a frame.
struct BreakMessage {
  std::string reason;  ///< its type, in Dynamo's words
  std::string op;      ///< the function that it could not trace, where it is named
  std::string explanation;
  std::string hint;         ///< one a line
  std::string stack;        ///< as traces have it, innermost first
  bool skipsFrame = false;  ///< the whole frame runs eagerly, not just this place
  bool isWarning = false;   ///< the one that is always printed; the graph_breaks log tells it again
};

/// Reads the text of a graph break of any generation: the `graph_breaks` log from 2023 on, the
/// artifact `dynamo_graph_break_reason`, the warnings that are always on. None when `text` does not
/// tell of a graph break.
std::optional<BreakMessage> parseBreakMessage(std::string_view text);

/// Reads the type with explanation and hints as they stand in `restart_reasons` and in exceptions:
/// the part of a message after `Graph Break Reason: `.
BreakMessage parseBreakReason(std::string_view text);

/// Whether a message begins with this line.
bool beginsBreakMessage(std::string_view line);

}  // namespace jitscope::analyzer
