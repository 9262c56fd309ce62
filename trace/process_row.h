#pragma once

#include <string>

#include "trace/sink.h"

namespace jitscope::trace {

/// What every producer knows of the calling process: its row but for the versions of jitscope and
/// of the libraries. Texts are interned in `sink`; the row is not written. The command line is
/// words as a shell would take them, cut at 16 KiB.
ProcessRow processRow(EventSink& sink);

/// The file that the calling process runs; empty when that cannot be told.
std::string executablePath();

}  // namespace jitscope::trace
