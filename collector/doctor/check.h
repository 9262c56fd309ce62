#pragma once

#include <string>
#include <vector>

namespace jitscope::collector {

/// How one matter stands.
enum class State {
  kGood,
  kAbsent,  ///< not there, and recording works without it
  kBad,     ///< stands in the way of recording
};

/// One line of what `jitscope doctor` says.
struct Check {
  std::string matter;
  State state = State::kGood;
  std::string finding;
  std::string remedy;  ///< empty when there is nothing to do
};

/// Whether a program can be recorded at all; records one to see.
std::vector<Check> checkRecording();

/// What operators and compiling need: LibTorch, a C++ compiler.
std::vector<Check> checkCompiling();

/// What GPU work needs: the driver, CUPTI, the right to read counters.
std::vector<Check> checkGpu();

/// What looking at a recording needs: the window, a display.
std::vector<Check> checkViewing();

}  // namespace jitscope::collector
