#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jitscope::compiler {

/// The logs that JITSCOPE_LOGS can name, as bits.
enum class LogKind : uint32_t {
  kGraphBreaks = 1,
  kRecompiles = 2,
  kGuards = 4,
  kGraphCode = 8,
  kPerfHints = 16,
  kAotGraphs = 32,
  kOutputCode = 64,
  kFusion = 128,
  kSchedule = 256,
};

/// What a text like "graph_breaks,+recompiles" asks for. Names that do not exist are warned of on
/// stderr, once, with those that do.
uint32_t logMaskOf(std::string_view text);

/// What JITSCOPE_LOGS asked for when it was first looked at.
uint32_t chosenLogs();

/// Where a log message stands: what goes between prefix and text.
struct LogTag {
  char level = 'V';            ///< V, W as in glog
  std::string_view compileId;  ///< "0/1", or empty
  std::string_view artifact;   ///< "graph_breaks", or empty
};

/// Writes `text` to stderr in the format of TORCH_LOGS, the prefix in front of each of its lines:
///
///     V1130 00:11:22.123456 4711 compiler/journal/journal.cpp:12] [0/1] [__recompiles] text
///
/// One message is one write, so that those of several threads do not mix.
void writeLog(const LogTag& tag, std::string_view text, const char* file = __builtin_FILE(),
              int line = __builtin_LINE());

/// One line on stderr without prefix, for the user's own mistakes.
void warnUser(std::string_view text);

}  // namespace jitscope::compiler
