#pragma once

#include <memory>

#include "trace/sink.h"
#include "trace/sink_abi.h"

namespace jitscope::trace {

/// The sink of a collector that was loaded into this process, as an EventSink; null when there is
/// none or when nothing is being recorded. May be called at any time from any thread; it looks anew
/// each time.
std::unique_ptr<EventSink> connectToCollector();

/// Speaks to `target` through the C boundary. `target` must outlive the result.
std::unique_ptr<EventSink> sinkOver(const JitscopeSink& target);

/// Offers `sink` through the C boundary: what a collector's `jitscope_sink_v1` gives out. `sink`
/// must outlive every copy of the result.
JitscopeSink offerSink(EventSink& sink);

}  // namespace jitscope::trace
