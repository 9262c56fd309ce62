#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyzer/import/compile_id.h"
#include "analyzer/import/cut_lines.h"
#include "analyzer/import/line_front.h"
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

/// The site of messages that a server writes of its start.
constexpr std::string_view kServerSite = "server";

/// Reads TORCH_LOGS text of every generation, a stream of blocks in, messages out. Lines of several
/// ranks may be mixed; colours, progress bars and the timestamps of log collectors are stripped.
/// Text without PyTorch's prefix gives messages too where it is of the compiler: warnings,
/// exceptions, and logs written in a format without prefix. All other lines are stepped over.
class TextLogReader {
 public:
  using Visit = std::function<void(const TextLogMessage&)>;

  explicit TextLogReader(Visit visit);

  void feed(std::string_view block);
  void finish();

  /// Lines that came to their end.
  int64_t lineCount() const { return counts_.lines; }
  int64_t messageCount() const { return counts_.messages; }
  int64_t foreignLineCount() const { return counts_.foreign; }
  /// Lines of which only the beginning was kept.
  int64_t cutLineCount() const { return lines_.cutCount(); }
  /// Lines in parts that were not put together whole.
  int64_t notJoinedCount() const { return cut_.notJoinedCount(); }

 private:
  using Stream = std::pair<int64_t, int64_t>;  ///< rank and process

  struct Counts {
    int64_t lines = 0, messages = 0, foreign = 0;
  };

  void takeLine(std::string_view line);
  void takeProgramLine(std::string_view line, int64_t rank);
  void takePieces(std::string_view line, const LineFront& front);
  void takePiece(std::string_view piece, const LineFront& front);
  void takePrefixed(const LogPrefix& prefix);
  bool takeServerLine(std::string_view piece, int64_t rank);
  void takeBare(const LineFront& front);
  bool continuesLatest(std::string_view line);
  const TextLogMessage* latestOf(int64_t rank) const;
  void end(TextLogMessage& message);
  template <class Key>
  void endAll(std::map<Key, TextLogMessage>& messages);

  Visit visit_;
  LineSplitter lines_;
  std::map<Stream, TextLogMessage> open_;   ///< the message that each stream is writing
  std::map<int64_t, TextLogMessage> bare_;  ///< one without prefix, by the rank in front of it
  TextLogMessage latest_;                   ///< whose prefix the text without prefix follows
  CutLines cut_;
  bool isLatestOpen_ = false;  ///< the next line may be of the message of `latest_`
  Counts counts_;
};

/// Whether `text`, the start of a file, holds a line of the compiler.
bool looksLikeCompileLog(std::string_view text);

}  // namespace jitscope::analyzer
