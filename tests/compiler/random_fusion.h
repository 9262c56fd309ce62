#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/compiler/traced_graph.h"

namespace jitscope::compiler {

/// Where and of what a random function computes.
struct RandomFusion {
  uint64_t seed = 0;
  at::ScalarType type = at::kFloat;
  at::Device device = at::kCPU;
  int64_t rows = 6;  ///< the size that varies in dynamic graphs
};

/// A random function of element-wise operators, views, reductions and norms, the same for one seed
/// whatever the rest. Its inputs are dense, transposed, sliced, expanded or strided.
TracedGraph traceRandom(const RandomFusion& random);

/// Empty when the results are as near to `exact` (computed in double) as those of eager are, or
/// within rounding; else what differs.
std::string differenceOf(const std::vector<at::Tensor>& actual,
                         const std::vector<at::Tensor>& eager,
                         const std::vector<at::Tensor>& exact);

}  // namespace jitscope::compiler
