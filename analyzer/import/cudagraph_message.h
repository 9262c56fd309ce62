#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// What PyTorch says of its CUDA graphs, in the words of any version.
struct CudagraphMessage {
  /// The kind of artifact that it becomes: `cudagraph_skip`, `cudagraph_record`, …
  std::string_view kind;
  /// Of a skip the reason, of a recording the key, of a warning the number of sizes, of a partition
  /// what splits the graph, of a capture that failed the error. May be empty.
  std::string told;
};

/// Reads a message, whose first line decides.
std::optional<CudagraphMessage> parseCudagraphMessage(std::string_view text);

}  // namespace jitscope::analyzer
