#pragma once

#include <cstdint>

#include "trace/sink.h"

namespace jitscope::collector {

/// What the living threads of this process had of the processors up to a moment, added up.
struct ProcessorUse {
  int64_t timeNs = 0;     ///< the moment; 0: not known
  int64_t runningNs = 0;  ///< on a processor
  int64_t waitingNs = 0;  ///< ready to run, but no processor was free
};

/// Asks the kernel. Zeros where it does not tell (no /proc, or built without scheduler statistics).
/// Any thread.
ProcessorUse currentProcessorUse() noexcept;

/// Writes as two counters what was used from `since` until now; nothing where it is not known.
void reportProcessorUse(trace::EventSink& sink, const ProcessorUse& since) noexcept;

}  // namespace jitscope::collector
