#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "collector/record/window_options.h"
#include "trace/result.h"

namespace jitscope::collector {

/// What `jitscope record` was asked to do.
struct RecordArguments {
  bool wantsHelp = false;
  std::filesystem::path output;      ///< empty: a name is made from the program and the time
  std::string graphLevel = "node";   ///< rows of a CUDA graph: one for each "node", or each "graph"
  std::string traffic = "off";       ///< of device memory, in this run: "sampled", "exact", "off"
  bool countsTraffic = false;        ///< exact bytes of kernels are wanted, by a second run
  WindowWish windows;                ///< when to record
  std::vector<std::string> command;  ///< the program and its own arguments
};

/// Understands the words after "record". The first word that is no option of ours begins the
/// command, and so does whatever follows `--`. An error says which word is wrong and which was
/// likely meant.
trace::Result<RecordArguments> parseRecordArguments(std::span<const std::string> words);

/// What `jitscope record --help` prints.
extern const char* const kRecordHelp;

}  // namespace jitscope::collector
