#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Cuts the time of every thread of `process` into pieces by its calls and regions, and fills in
/// which call each of them runs in. Threads in `threads` get a piece even without calls.
void cutPieces(Run& run, ProcessIndex process, const std::vector<int64_t>& threads);

/// Finds the piece of a thread at a time. Quick when times of a thread mostly grow.
class PieceFinder {
 public:
  /// `pieces` must be by thread, then time, and outlive this.
  explicit PieceFinder(const Rows<PieceIndex, Piece>& pieces);

  /// The piece in which `timeNs` lies; kNone for a thread without pieces.
  PieceIndex find(int64_t thread, int64_t timeNs);

 private:
  struct Cursor {
    size_t first = 0, last = 0, current = 0;  ///< last: one past the thread's pieces
  };

  bool isIn(const Cursor& cursor, int64_t timeNs) const;

  const Rows<PieceIndex, Piece>& pieces_;
  std::unordered_map<int64_t, Cursor> cursors_;
  Cursor* latest_ = nullptr;
  int64_t latestThread_ = 0;
};

}  // namespace jitscope::analyzer
