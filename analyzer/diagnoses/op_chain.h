#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The operators of one thread as they lie inside each other, to ask what ran at a time.
class OpChain {
 public:
  /// `run` must outlive this.
  OpChain(const Run& run, const Lane& lane);

  /// The innermost operator that ran at `timeNs`; empty between operators.
  std::string_view innermostAt(int64_t timeNs) const;

  /// The outermost operator around `timeNs` that, as all inside of it, has a name that begins with
  /// `front`; empty when the innermost one has none.
  std::string_view outermostLike(int64_t timeNs, std::string_view front) const;

  /// The smallest operator that took at least half of a span; empty when none did.
  std::string_view fillerOf(int64_t startNs, int64_t endNs) const;

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  /// The position of the last operator that starts at or before `timeNs`; kNone before the first.
  size_t lastStart(int64_t timeNs) const;
  std::string_view nameAt(size_t at) const;

  const Run& run_;
  const Process& process_;
  std::vector<OpIndex> ops_;
  std::vector<int64_t> starts_, ends_;
  std::vector<size_t> parents_;  ///< positions; kNone for outermost ones
};

}  // namespace jitscope::analyzer
