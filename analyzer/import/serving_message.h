#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// What an inference server says of the CUDA graphs that it replays, again and again while it
/// serves: numbers that are counted, not stages that are timed, which a ServerLine tells.
struct ServingMessage {
  /// `graph_runs`: tokens, tokens with padding, how often, mode (vLLM's table of statistics);
  /// `graph_batch`: requests, 1 when replayed and 0 when not (a decode batch of SGLang);
  /// `graph_sizes`: the sizes that were captured.
  std::string_view kind;
  std::string numbers;  ///< with blanks between
};

/// Reads a line of a log of vLLM (with --cudagraph-metrics) or SGLang.
std::optional<ServingMessage> parseServingMessage(std::string_view line);

}  // namespace jitscope::analyzer
