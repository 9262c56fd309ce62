#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/input.h"
#include "trace/reader.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// All that a path holds.
struct LoadedInputs {
  std::vector<trace::TraceFile> traces;  ///< one for each process, in the order of their files
  std::vector<Input> inputs;             ///< the files that were read, by path
  std::vector<std::string> problems;     ///< files that could not be read: `PATH: what: where`
};

/// Reads a file of any format that is known, or a folder with all that is below it as one run, in
/// which files that tell different things of one process are one.
/// Links to folders are not followed. An error (`PATH: what: where`) when there is nothing to show.
trace::Result<LoadedInputs> loadInputs(const std::filesystem::path& path,
                                       const LoadOptions& options);

}  // namespace jitscope::analyzer
