#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/backend.h"
#include "compiler/frontend/program.h"
#include "compiler/frontend/segment.h"
#include "compiler/graph.h"

namespace jitscope::compiler {

/// A segment as a graph, and which of the program's tensors its inputs and outputs are.
struct SegmentGraph {
  Graph graph;
  std::vector<ValueRef> inputs, outputs;
  std::vector<ValueRef> valueRefs;  ///< of each ValueId of the graph
  static constexpr size_t kNoNode = static_cast<size_t>(-1);
  /// Position in `graph.nodes` of each operator of the segment; kNoNode for those outside of it.
  std::vector<size_t> nodeOfOperator;
};

/// What a graph needs beside its segment.
struct GraphNaming {
  std::string name;                         ///< "graph_0_1_2"
  std::span<const ProgramInput> inputs;     ///< of the program
  std::span<const ProgramSymbol> symbols;   ///< of the program
  std::span<const int64_t> symbolValues;    ///< in the call that was captured
  const ModeState* initialModes = nullptr;  ///< when user code begins; null: at the first operator
  bool withExpressions = true;              ///< false: integers as they were captured
};

/// Converts. `outputs` are values of the segment, or inputs, in the order wanted. Sources are left
/// empty: see `fillSources`.
SegmentGraph graphOf(const Segment& segment, std::vector<ValueRef> outputs,
                     const GraphNaming& naming);

/// Turns the stacks of the segment's operators into the graph's sources.
void fillSources(SegmentGraph& graph, const Segment& segment);

}  // namespace jitscope::compiler
