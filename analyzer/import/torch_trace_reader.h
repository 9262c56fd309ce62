#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "analyzer/import/compile_id.h"
#include "analyzer/import/cut_lines.h"
#include "analyzer/import/json_view.h"
#include "analyzer/import/line_front.h"
#include "analyzer/import/line_splitter.h"
#include "analyzer/import/log_prefix.h"
#include "analyzer/import/md5.h"

namespace jitscope::analyzer {

/// One record of a TORCH_TRACE file. Everything in it is valid while it is visited.
struct TorchTraceRecord {
  LogPrefix prefix;
  int64_t rank = -1;
  TorchCompileId id;
  int64_t restart = 0;       ///< how often Dynamo had begun anew
  std::string_view event;    ///< the one key that is not part of every record
  JsonView value;            ///< what stands under it
  bool hasSubgraph = false;  ///< it belongs to a named part of its graph
  bool hasPayload = false;
  std::string_view payload;  ///< without the tabs
};

/// What a reader had to repair or to leave out.
struct TorchTraceDamage {
  int64_t otherLines = 0;        ///< neither header nor payload
  int64_t brokenHeaders = 0;     ///< a header whose JSON does not end
  int64_t cutPayloads = 0;       ///< longer than memory allows
  int64_t cutLines = 0;          ///< of which only the beginning was kept
  int64_t notJoinedLines = 0;    ///< in parts that were not put together whole
  int64_t md5BadAsIs = 0;        ///< payloads that differ from their checksum as the file has them
  int64_t md5BadTolerant = 0;    ///< the same without carriage returns and empty lines
  int64_t firstBadPayload = 0;   ///< line of the first of the latter; 0 without
  bool isCut = false;            ///< the file ends in the midst of a payload
  int64_t repairedPayloads = 0;  ///< those that had carriage returns or empty lines
};

/// Reads the structured log of TORCH_TRACE, a stream of blocks in, records out: header lines
/// `V0401 12:34:56.789000 4242 torch/_dynamo/x.py:7] {json}`, each followed by the lines of its
/// payload, which begin with a tab. Carriage returns, empty lines between, foreign lines anywhere
/// and what a launcher or collector writes in front of each line do no harm.
class TorchTraceReader {
 public:
  using Visit = std::function<void(const TorchTraceRecord&)>;

  explicit TorchTraceReader(Visit visit);
  ~TorchTraceReader() = default;
  TorchTraceReader(const TorchTraceReader&) = delete;
  TorchTraceReader& operator=(const TorchTraceReader&) = delete;

  void feed(std::string_view block);
  void finish();

  /// Complete after `finish`.
  const TorchTraceDamage& damage() const { return damage_; }

 private:
  void takeLine(std::string_view line);
  void takePayloadLine(std::string_view line, bool hadReturn);
  void takeHeader(const LogPrefix& prefix);
  bool takeFronted(std::string_view line, bool hadReturn);
  bool takeBehindFront(const LineFront& front, std::string_view line, int64_t rank, bool hadReturn);
  void endRecord();
  void checkPayload();

  /// A header whose payload is still coming. The texts are its own: blocks go away.
  struct Open {
    std::string line;
    LogPrefix prefix;
    std::string md5;
    bool isOpen = false, hasPayload = false, isRepaired = false;
    bool hasFront = false;  ///< something stands in front of its header, and so of its payload
    int64_t payloadLines = 0, emptyLines = 0;
    std::string payload, payloadAsIs;
  };

  Visit visit_;
  LineSplitter lines_;
  Open open_;
  CutLines cut_;
  TorchTraceRecord record_;
  TorchTraceDamage damage_;
  Md5Checker checker_;
  int64_t lineNumber_ = 0, headerLine_ = 0, lastBadPayload_ = 0;
};

/// Whether `text`, the start of a file, holds a header line of TORCH_TRACE.
bool looksLikeTorchTrace(std::string_view text);

}  // namespace jitscope::analyzer
