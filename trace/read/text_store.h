#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/schema.h"

namespace jitscope::trace::read {

/// The dictionary of a file. Filled by one thread, then read by any number.
class TextStore {
 public:
  /// Adds the texts with the ids from `first` on, `lengths` long each, one after the other in
  /// `bytes`. False, and nothing is added, when they contradict each other or when `first` is not
  /// above all ids that are already there.
  bool add(uint32_t first, const std::vector<int64_t>& lengths, std::string bytes);

  /// Empty for an id that is not there. Valid as long as the store.
  std::string_view text(StringId id) const;

  /// One more than the largest id.
  size_t count() const { return count_; }

 private:
  struct Segment {
    uint32_t first = 0;
    std::vector<uint32_t> offsets;  ///< one more than there are texts
    std::string bytes;
  };

  size_t segmentOf(uint32_t id) const;

  std::vector<Segment> segments_;  ///< by first id
  size_t count_ = 1;               ///< id 0 is the empty text
};

}  // namespace jitscope::trace::read
