#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/sink.h"

namespace jitscope::trace {

/// Writes about `events` rows as a training loop on one GPU makes them: operators with nested ones,
/// for each inner one an API call, for each call a kernel. Steps repeat the same names and shapes;
/// times jitter as measured ones do. Gives how many rows were written.
size_t writeWorkload(EventSink& sink, size_t events);

}  // namespace jitscope::trace
