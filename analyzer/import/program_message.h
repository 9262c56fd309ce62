#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// A line of profilers, AOTInductor or LibTorch that tells what went wrong.
struct ProgramMessage {
  std::string_view topic;  ///< `cupti_conflict`, `aoti_input_shape`, …: the words of the diagnosis
  std::string told;        ///< the line from where it says so
};

/// Reads a line of a program's output, or a line that a profiler put into its trace.
std::optional<ProgramMessage> parseProgramMessage(std::string_view line);

}  // namespace jitscope::analyzer
