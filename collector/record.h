#pragma once

#include <span>
#include <string>

namespace jitscope::collector {

/// `jitscope record [-o OUT] [--] COMMAND...`: runs a program under the collector. `arguments` are
/// those after "record". Writes nothing to standard output but the program's own (and `--help`),
/// and one closing line to standard error. Gives the exit status: the program's (128+N when signal
/// N ended it, 127 not found, 126 cannot be run), or 2 for wrong usage. For the main thread of a
/// program that does nothing else.
int recordCommand(std::span<const std::string> arguments);

}  // namespace jitscope::collector
