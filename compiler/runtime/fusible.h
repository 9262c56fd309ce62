#pragma once

#include <string>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// Why the graph must run operator by operator: it writes to what it was given, it is
/// differentiated, its operators depend on a mode. Empty when it is a plain function of its inputs.
std::string reasonAgainstFusion(const Graph& graph);

/// Whether any of its operators draws random numbers.
bool drawsNumbers(const Graph& graph);

}  // namespace jitscope::compiler
