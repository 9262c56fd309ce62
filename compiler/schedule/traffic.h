#pragma once

#include <cstdint>
#include <map>

#include "compiler/graph.h"
#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// Memory that is read and written, at the example sizes of the graph's symbols.
struct Traffic {
  int64_t elementsRead = 0, elementsWritten = 0, bytesRead = 0, bytesWritten = 0;

  int64_t elements() const { return elementsRead + elementsWritten; }
  int64_t bytes() const { return bytesRead + bytesWritten; }
  Traffic& operator+=(const Traffic& other);
};

/// Elements of each buffer that the nest reads: each once, however often it is loaded, since what
/// was just read is in a cache or a register.
std::map<BufferId, int64_t> elementsRead(const LoopProgram& program, const LoopNest& nest);

/// What the nest moves.
Traffic trafficOf(const LoopProgram& program, const LoopNest& nest);

/// What an operator moves that runs by itself: its arguments and its results; a view nothing.
Traffic trafficOf(const Graph& graph, const Node& node);

/// What the program moves: its nests and its opaque calls.
Traffic trafficOf(const LoopProgram& program, const Graph& graph);

/// What the graph moves operator by operator.
Traffic eagerTraffic(const Graph& graph);

}  // namespace jitscope::compiler
