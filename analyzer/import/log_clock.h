#pragma once

#include <cstdint>

namespace jitscope::analyzer {

/// Puts the moments of a log, which names no time zone and often no year, on the clock of the
/// world: by moments that the log tells in both ways, else by when the file was written.
class LogClock {
 public:
  /// The log's own line at `logNs` says that it was `unixNs` then. The first pair decides.
  void anchor(int64_t logNs, int64_t unixNs);

  bool isAnchored() const { return isAnchored_; }

  /// A moment of the world as the log's lines would tell it.
  int64_t toLog(int64_t unixNs) const;

  /// What to add to moments of the log. Where none was anchored, the whole years between the log's
  /// last line, at `lastLogNs`, and the file's own time; 0 when that is not known.
  int64_t offsetNs(int64_t lastLogNs, int64_t fileNs) const;

 private:
  int64_t offsetNs_ = 0;
  bool isAnchored_ = false;
};

}  // namespace jitscope::analyzer
