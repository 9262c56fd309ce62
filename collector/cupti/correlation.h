#pragma once

#include <cstdint>

#include "trace/schema.h"

namespace jitscope::collector {

/// Makes CUPTI's correlation ids, which start again after 2^32, ids that are never given twice.
/// Records may come out of order by up to 2^31 ids. One thread.
class CorrelationCounter {
 public:
  /// The id that `id` stands for: of all that end in it, the nearest to the latest.
  trace::CorrelationId extend(uint32_t id) {
    if (id == 0) return trace::CorrelationId::kNone;
    if (latest_ == 0) latest_ = id;
    const auto distance = static_cast<int32_t>(id - static_cast<uint32_t>(latest_));
    // Nothing lies before the beginning.
    if (latest_ + distance <= 0) return trace::CorrelationId{id};
    const int64_t whole = latest_ + distance;
    if (distance > 0) latest_ = whole;
    return trace::CorrelationId{whole};
  }

 private:
  int64_t latest_ = 0;
};

}  // namespace jitscope::collector
