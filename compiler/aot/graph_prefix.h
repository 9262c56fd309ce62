#pragma once

#include "compiler/graph.h"

namespace jitscope::compiler {

/// The first `count` nodes of a graph, with what the last operator among them gives as output. The
/// inputs stay all.
Graph prefixOf(const Graph& graph, size_t count);

}  // namespace jitscope::compiler
