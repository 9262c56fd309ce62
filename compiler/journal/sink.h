#pragma once

#include "trace/sink.h"

namespace jitscope::compiler {

/// Where this process's rows go, and who describes it there.
struct JournalSink {
  trace::EventSink* sink =
      nullptr;             ///< null when nothing is recorded; lives as long as the process
  bool isOwnFile = false;  ///< rows about process and threads are up to the journal
};

/// The sink of a collector that records this process, else the file that JITSCOPE_TRACE names, else
/// none. A child that inherits the variable while its parent writes that file puts its own beside
/// it, with its process id in the name. A file that cannot be written is warned of on stderr. The
/// file ends cleanly when the process does. Call it once.
JournalSink openSink();

}  // namespace jitscope::compiler
