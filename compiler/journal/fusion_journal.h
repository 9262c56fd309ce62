#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::compiler {

/// What became of a graph: its loops, how they were fused, the kernels.
struct FusedCode {
  std::string graph;  ///< its name, "graph_0_1_2"
  std::string loopsBefore, loopsAfter;
  std::string source;
  std::string report;  ///< what was fused and what not, bytes before and after
  std::vector<std::string> kernels;
};

/// Generated code and decisions: artifacts "output_code", "fusion" and "schedule", and the logs of
/// these names. Safe from any thread, never throws.
void journalFusedCode(const FusedCode& code) noexcept;

/// A graph that runs operator by operator although fusing was asked for: artifact "unfused_graph",
/// which is named by the reason, and [__perf_hints].
void journalUnfusedGraph(std::string_view graph, std::string_view reason) noexcept;

}  // namespace jitscope::compiler
