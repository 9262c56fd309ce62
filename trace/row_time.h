#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "trace/schema.h"

namespace jitscope::trace {

/// When something happened; the same time twice for what takes none.
struct RowTime {
  int64_t startNs = 0, endNs = 0;
};

/// When the event of this row happened, if it is one that belongs to a window: an operator, a call,
/// a region, the passing of a break, what the GPU did. Nothing for what later events cannot be
/// understood without: processes and threads, frames, compilations with their breaks, guards, texts
/// and what caused them, nodes of graphs, losses.
std::optional<RowTime> eventTime(TableId table, std::span<const int64_t> cells) noexcept;

}  // namespace jitscope::trace
