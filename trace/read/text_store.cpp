#include "trace/read/text_store.h"

#include <algorithm>
#include <limits>

namespace jitscope::trace::read {

bool TextStore::add(uint32_t first, const std::vector<int64_t>& lengths, std::string bytes) {
  Segment segment{first, {0}, std::move(bytes)};
  uint64_t end = 0;
  for (const int64_t length : lengths) {
    if (length < 0 || static_cast<uint64_t>(length) > segment.bytes.size() - end) return false;
    end += static_cast<uint64_t>(length);
    segment.offsets.push_back(static_cast<uint32_t>(end));
  }
  if (end != segment.bytes.size() || lengths.empty()) return false;
  const uint64_t last = uint64_t{first} + lengths.size();
  if (first < count_ || last > std::numeric_limits<uint32_t>::max()) return false;
  segments_.push_back(std::move(segment));
  count_ = last;
  return true;
}

std::string_view TextStore::text(StringId id) const {
  const auto number = static_cast<uint32_t>(id);
  const size_t place = segmentOf(number);
  if (place == 0) return {};
  const Segment& segment = segments_[place - 1];
  const size_t index = number - segment.first;
  if (index + 1 >= segment.offsets.size()) return {};
  const uint32_t start = segment.offsets[index];
  return std::string_view(segment.bytes).substr(start, segment.offsets[index + 1] - start);
}

/// The position after the last segment that begins at or before `id`.
size_t TextStore::segmentOf(uint32_t id) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), id,
                       [](uint32_t wanted, const Segment& s) { return wanted < s.first; });
  return static_cast<size_t>(after - segments_.begin());
}

}  // namespace jitscope::trace::read
