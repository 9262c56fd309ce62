#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/import/line_front.h"

namespace jitscope::analyzer {

/// What happened to a line that CutLines counts.
inline constexpr std::string_view kNotJoined = "a line that its collector cut, not joined whole";

/// Puts together lines that a log collector has cut into parts. Parts of several streams may be
/// mixed, such as standard output and errors, or ranks: each is joined with its own. For one
/// thread.
class CutLines {
 public:
  /// Gets a line as the program wrote it, valid during the call, and the rank that the collector or
  /// the line's start names; -1 when neither does.
  using Visit = std::function<void(std::string_view line, int64_t rank)>;

  /// All parts that wait for their ends together hold at most `mostBytes`. For more the longest
  /// line makes room: what comes for it goes, or it is visited as far as it has come, and its rest
  /// is a line of its own.
  explicit CutLines(size_t mostBytes) : mostBytes_(mostBytes) {}

  /// Takes a line if it is a part of one that was cut, and has that one visited when it is the
  /// last. False: `front` is of a whole line.
  bool take(const LineFront& front, const Visit& visit);

  /// Has all visited that still wait for their ends.
  void finish(const Visit& visit);

  /// How many lines were not put together whole.
  int64_t notJoinedCount() const { return notJoinedCount_; }

 private:
  /// What has come of a line.
  struct Open {
    uint64_t origin = 0;  ///< LineFront::origin
    int64_t rank = -1;    ///< that the program itself wrote in front; -1 when it did not
    int64_t rankOfFront = -1;
    std::string text;
    bool isShort = false;  ///< it is counted as not joined
  };
  using Place = std::vector<Open>::iterator;

  Place findOpen(uint64_t origin, int64_t rank);
  Place continuedBy(const LineFront& front, const LineFront& inner);
  void makeRoom(const LineFront& front, const LineFront& inner, const Visit& visit);
  void append(Open& open, std::string_view text);
  void giveUp(Open& open);
  void end(Place place, const Visit& visit);

  size_t mostBytes_;
  size_t bytes_ = 0;        ///< of all open ones
  std::vector<Open> open_;  ///< the one that was extended last stands last
  int64_t notJoinedCount_ = 0;
};

}  // namespace jitscope::analyzer
