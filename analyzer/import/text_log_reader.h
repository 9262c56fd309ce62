#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyzer/import/compile_id.h"
#include "analyzer/import/line_splitter.h"
#include "analyzer/import/log_prefix.h"

namespace jitscope::analyzer {

/// One message of a TORCH_LOGS text log, its lines put together.
struct TextLogMessage {
  int64_t rank = -1;
  int64_t process = 0;   ///< 0 when the log does not tell
  LogTime time;          ///< zeros when the log does not tell
  char level = 0;        ///< 0 for text without PyTorch's prefix
  std::string site;      ///< the source file, or the logger of older versions
  TorchCompileId id;     ///< may be not told
  std::string artifact;  ///< `recompiles`, `graph_breaks`, …; empty for other loggers
  std::string text;
};

/// Reads TORCH_LOGS text of every generation, a stream of blocks in, messages out. Lines of several
/// ranks may be mixed; colours, progress bars and the timestamps of log collectors are stripped.
/// Text without PyTorch's prefix gives messages too where it is of the compiler: warnings,
/// exceptions, and logs written in a format without prefix. All other lines are stepped over.
class TextLogReader {
 public:
  using Visit = std::function<void(const TextLogMessage&)>;

  explicit TextLogReader(Visit visit) : visit_(std::move(visit)) {}

  void feed(std::string_view block);
  void finish();

  /// Lines that came to their end.
  int64_t lineCount() const { return lineCount_; }
  int64_t messageCount() const { return messageCount_; }
  int64_t foreignLineCount() const { return foreignCount_; }

 private:
  using Stream = std::pair<int64_t, int64_t>;  ///< rank and process

  void takeLine(std::string_view line);
  void takePiece(std::string_view piece);
  void takePrefixed(const LogPrefix& prefix);
  void takeBare(std::string_view line);
  void end(TextLogMessage& message);

  Visit visit_;
  LineSplitter lines_;
  std::map<Stream, TextLogMessage> open_;  ///< the message that each stream is writing
  TextLogMessage bare_;                    ///< one without prefix
  TextLogMessage latest_;                  ///< whose prefix the text without prefix follows
  int64_t lineCount_ = 0, messageCount_ = 0, foreignCount_ = 0;
};

/// Whether `text`, the start of a file, holds a line of the compiler.
bool looksLikeCompileLog(std::string_view text);

}  // namespace jitscope::analyzer
