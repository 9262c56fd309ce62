#include "analyzer/load/pieces.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "analyzer/language.h"

namespace jitscope::analyzer {
namespace {

/// A call, a region or a compilation as an interval of its thread.
struct Interval {
  int64_t startNs = 0, endNs = 0;
  CallIndex call = CallIndex::kNone;
  RegionIndex region = RegionIndex::kNone;  ///< neither: a compilation

  auto order() const { return std::tuple(startNs, -endNs, !exists(call), call, region); }
};

/// An interval that has begun, with what holds inside it.
struct Open {
  int64_t endNs = 0;
  Piece inside;
};

/// Sweeps over the intervals of one thread, innermost last, and appends its pieces. Intervals that
/// overlap without nesting (only broken recordings have them) count as nested in the earlier one.
class ThreadSweep {
 public:
  ThreadSweep(Run& run, Rows<PieceIndex, Piece>& pieces, int64_t thread)
      : run_(run), pieces_(pieces), first_(pieces.size()) {
    Piece outside;
    outside.thread = thread;
    outside.startNs = std::numeric_limits<int64_t>::min();
    open_.push_back({std::numeric_limits<int64_t>::max(), outside});
    pieces_.add(outside);
  }

  void enter(const Interval& interval) {
    leaveUntil(interval.startNs);
    Piece inside = open_.back().inside;
    if (exists(interval.call)) {
      run_.calls[interval.call].parent = inside.call;
      inside.call = interval.call;
      inside.region = RegionIndex::kNone;
      inside.origin = trace::Origin::kEager;
    } else if (!exists(interval.region)) {
      inside.isCompiling = true;
    } else {
      inside.isCompiling = false;
      Region& region = run_.regions[interval.region];
      region.call = inside.call;
      inside.region = interval.region;
      const bool isTold = region.origin != trace::Origin::kUnknown;
      inside.origin = isTold ? region.origin : trace::Origin::kCompiled;
    }
    open_.push_back({interval.endNs, inside});
    append(inside, interval.startNs);
  }

  /// Closes what ended at or before `timeNs`.
  void leaveUntil(int64_t timeNs) {
    while (open_.size() > 1 && open_.back().endNs <= timeNs) {
      const int64_t endNs = open_.back().endNs;
      open_.pop_back();
      append(open_.back().inside, endNs);
    }
  }

 private:
  void append(Piece piece, int64_t startNs) {
    Piece& latest = pieces_[pieces_.indexAt(pieces_.size() - 1)];
    piece.startNs = std::max(startNs, latest.startNs);
    const bool replaces = pieces_.size() > first_ + 1 && latest.startNs == piece.startNs;
    if (replaces)
      latest = piece;
    else
      pieces_.add(piece);
  }

  Run& run_;
  Rows<PieceIndex, Piece>& pieces_;
  size_t first_;
  std::vector<Open> open_;
};

}  // namespace

void cutPieces(Run& run, ProcessIndex process, const std::vector<int64_t>& threads) {
  std::map<int64_t, std::vector<Interval>> byThread;
  for (const int64_t thread : threads) byThread[thread];
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const CallIndex index = run.calls.indexAt(i);
    const Call& call = run.calls[index];
    if (call.process != process) continue;
    byThread[call.thread].push_back({call.startNs, call.endNs, index, RegionIndex::kNone});
  }
  for (size_t i = 0; i < run.regions.size(); ++i) {
    const RegionIndex index = run.regions.indexAt(i);
    const Region& region = run.regions[index];
    if (region.process != process) continue;
    byThread[region.thread].push_back({region.startNs, region.endNs, CallIndex::kNone, index});
  }
  for (const Compile& compile : run.compiles) {
    // The built-in compiler runs the user's code while it captures.
    const bool runsUserCode = languageOf(run, process, compile.frameIndex) == Language::kCpp;
    if (compile.process != process || runsUserCode) continue;
    byThread[compile.thread].push_back(
        {compile.startNs, compile.endNs, CallIndex::kNone, RegionIndex::kNone});
  }
  for (auto& [thread, intervals] : byThread) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.order() < b.order(); });
    ThreadSweep sweep(run, run.processes[process].pieces, thread);
    for (const Interval& interval : intervals) sweep.enter(interval);
    sweep.leaveUntil(std::numeric_limits<int64_t>::max());
  }
}

PieceFinder::PieceFinder(const Rows<PieceIndex, Piece>& pieces) : pieces_(pieces) {
  for (size_t i = 0; i < pieces.size(); ++i) {
    const int64_t thread = pieces[pieces.indexAt(i)].thread;
    Cursor& cursor = cursors_.try_emplace(thread, Cursor{i, i, i}).first->second;
    cursor.last = i + 1;
  }
}

PieceIndex PieceFinder::find(int64_t thread, int64_t timeNs) {
  if (latest_ == nullptr || latestThread_ != thread) {
    const auto entry = cursors_.find(thread);
    if (entry == cursors_.end()) return PieceIndex::kNone;
    latest_ = &entry->second;
    latestThread_ = thread;
  }
  Cursor& cursor = *latest_;
  if (isIn(cursor, timeNs)) return pieces_.indexAt(cursor.current);
  const auto begin = pieces_.begin();
  const auto after =
      std::upper_bound(begin + static_cast<std::ptrdiff_t>(cursor.first),
                       begin + static_cast<std::ptrdiff_t>(cursor.last), timeNs,
                       [](int64_t time, const Piece& piece) { return time < piece.startNs; });
  cursor.current = static_cast<size_t>(after - begin) - 1;
  return pieces_.indexAt(cursor.current);
}

bool PieceFinder::isIn(const Cursor& cursor, int64_t timeNs) const {
  if (timeNs < pieces_[pieces_.indexAt(cursor.current)].startNs) return false;
  const size_t next = cursor.current + 1;
  return next == cursor.last || timeNs < pieces_[pieces_.indexAt(next)].startNs;
}

}  // namespace jitscope::analyzer
