#pragma once

#include <cstdint>

#include "analyzer/units.h"

namespace jitscope::analyzer {

/// Whether two durations have the same text, so that to tell both says nothing.
inline bool readAlike(int64_t oneNs, int64_t otherNs) {
  return durationText(oneNs) == durationText(otherNs);
}

}  // namespace jitscope::analyzer
