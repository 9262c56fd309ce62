#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace jitscope::collector {

/// `jitscope record [-o OUT] [--] COMMAND...`: runs a program under the collector. `arguments` are
/// those after "record". Writes nothing to standard output but the program's own (and `--help`),
/// and one closing line to standard error. Gives the exit status: the program's (128+N when signal
/// N ended it, 127 not found, 126 cannot be run), or 2 for wrong usage. For the main thread of a
/// program that does nothing else.
int recordCommand(std::span<const std::string> arguments);

/// An option of `record`, as it stands at the command line.
struct RecordOption {
  std::string name;      ///< the long one, such as "--output"
  std::string value;     ///< empty where it takes none, and where one is missing
  size_t wordCount = 1;  ///< that it and its value take
};

/// The option that `words` begin with, for a command that understands further ones beside these.
/// None: they begin with a word that is no option of `record`.
std::optional<RecordOption> recordOptionAt(std::span<const std::string> words);

}  // namespace jitscope::collector
