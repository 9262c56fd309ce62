#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/compiler/traced_graph.h"

namespace jitscope::compiler {

/// A workload: a function and the inputs that it is timed with.
struct FusionRow {
  std::string name;
  std::function<TracedGraph(at::Device device)> trace;
};

/// Norms, softmax, gated activations, sums and the like. On a processor `scale` divides the rows.
std::vector<FusionRow> fusionRows(int64_t scale);

}  // namespace jitscope::compiler
