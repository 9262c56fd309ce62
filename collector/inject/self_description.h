#pragma once

#include <string>
#include <string_view>

#include "trace/sink.h"

namespace jitscope::collector {

/// A path in `folder` for the trace of this process, of a file that does not exist yet:
/// `PROGRAM-PID.jitscope`, with a number behind when the process has had files before (an exec
/// keeps the process id).
std::string newTracePath(std::string_view folder);

/// Writes the row that describes this process.
void describeProcess(trace::EventSink& sink);

}  // namespace jitscope::collector
