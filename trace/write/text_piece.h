#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::trace::write {

/// Texts that follow each other in the dictionary, few enough for one chunk: ids from `first` on,
/// the texts one after the other in `bytes`.
struct TextPiece {
  uint32_t first = 1;
  std::vector<int64_t> lengths;
  std::string bytes;

  /// One more than the largest id.
  uint32_t end() const { return first + static_cast<uint32_t>(lengths.size()); }
};

}  // namespace jitscope::trace::write
