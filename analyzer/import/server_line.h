#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/import/log_prefix.h"

namespace jitscope::analyzer {

/// What a model server (vLLM, SGLang) or Inductor's autotuning says of time that compiling took. It
/// is found anywhere in a line, whoever wrote what stands in front, and is of its start; what a
/// server says of its work afterwards is a ServingMessage.
struct ServerLine {
  std::string_view stage;  ///< "dynamo", "inductor", "load", "total", "capture", …
  double seconds = -1;     ///< negative when the line only tells that the stage was reached
  int64_t rank = -1;       ///< of the worker that wrote it; -1 when it names none
  LogTime time;            ///< month 0 when the line has none
  std::string_view text;   ///< from the words that tell the stage on
};

/// Whether a stage (as its name) tells that the log is of the compiler. What a benchmark or a
/// server prints of autotuning and of capturing graphs does not.
bool isOfCompiler(std::string_view stage);

/// Reads such a line, with all that stands in front of it; nullopt for every other line.
std::optional<ServerLine> readServerLine(std::string_view line);

}  // namespace jitscope::analyzer
