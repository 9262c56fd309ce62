#include "compiler/explain.h"

#include <fmt/format.h>

#include <ostream>

namespace jitscope {

namespace compiler {

Explanation explainFrame(const Frame& frame) {
  Explanation explanation;
  for (const EntryView& entry : frame.entries()) {
    for (const Graph& graph : entry.graphs) {
      auto& ops = explanation.opsPerGraph.emplace_back();
      for (const Node& node : graph.nodes) {
        ops.push_back(node.overload.empty() ? node.op : node.op + "." + node.overload);
      }
      explanation.opCount += static_cast<int64_t>(ops.size());
      explanation.graphs.push_back(graph);
    }
    for (const BreakView& view : entry.breaks) {
      explanation.breakReasons.push_back({view.reason, view.explanation, view.hint, view.stack});
    }
    explanation.plainReasons.insert(explanation.plainReasons.end(), entry.plainReasons.begin(),
                                    entry.plainReasons.end());
    explanation.guards.insert(explanation.guards.end(), entry.guards.begin(), entry.guards.end());
    explanation.compileSeconds += entry.compileSeconds;
  }
  explanation.graphCount = static_cast<int64_t>(explanation.graphs.size());
  explanation.graphBreakCount = static_cast<int64_t>(explanation.breakReasons.size());
  return explanation;
}

}  // namespace compiler

std::ostream& operator<<(std::ostream& stream, const Explanation& explanation) {
  stream << fmt::format("Graph Count: {}\nGraph Break Count: {}\nOp Count: {}\nBreak Reasons:\n",
                        explanation.graphCount, explanation.graphBreakCount, explanation.opCount);
  for (size_t i = 0; i < explanation.breakReasons.size(); ++i) {
    const Explanation::Break& reason = explanation.breakReasons[i];
    stream << fmt::format("  Break Reason {}:\n    Reason: {}\n    Explanation: {}\n", i + 1,
                          reason.reason, reason.explanation);
    if (!reason.hint.empty()) stream << fmt::format("    Hint: {}\n", reason.hint);
    stream << "    User Stack:\n";
    for (const compiler::SourceLine& line : reason.stack) {
      stream << fmt::format("      {}:{} in {}\n", line.file, line.line, line.function);
    }
  }
  if (!explanation.plainReasons.empty()) stream << "Segments that run operator by operator:\n";
  for (const std::string& reason : explanation.plainReasons) {
    stream << fmt::format("  {}\n", reason);
  }
  stream << "Ops per Graph:\n";
  for (size_t i = 0; i < explanation.opsPerGraph.size(); ++i) {
    stream << fmt::format("  Graph {}:\n", i + 1);
    for (const std::string& op : explanation.opsPerGraph[i]) stream << fmt::format("    {}\n", op);
  }
  stream << "Guards:\n";
  for (const std::string& guard : explanation.guards) stream << fmt::format("  {}\n", guard);
  stream << fmt::format("Compile Time: {:.3f} s\n", explanation.compileSeconds);
  return stream;
}

}  // namespace jitscope
