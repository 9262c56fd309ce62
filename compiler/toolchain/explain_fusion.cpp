#include "compiler/explain_fusion.h"

#include "compiler/codegen/cuda_kernel.h"
#include "compiler/codegen/generated_kernel.h"
#include "compiler/loops/lowering.h"
#include "compiler/schedule/fusion.h"

namespace jitscope::compiler {

FusionExplanation explainFusion(const Graph& graph) {
  FusionExplanation explanation;
  LoopProgram program = lowerGraph(graph);
  const FusionReport report = fuseNests(program, graph);
  explanation.eagerBytes = report.before.bytes();
  explanation.fusedBytes = report.after.bytes();
  explanation.decisions = report.text();
  // By index: generating adds to the program's body.
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if (!std::holds_alternative<LoopNest>(program.steps[i])) {
      ++explanation.opaqueCalls;
      continue;
    }
    const LoopNest nest = std::get<LoopNest>(program.steps[i]);
    const size_t number = explanation.kernels.size();
    const bool isOnGpu = program.buffer(nest.stores.front().buffer).device.kind == 1;
    explanation.kernels.push_back(isOnGpu ? generateCuda(program, nest, number).name
                                          : kernelName("cpp_fused", nest, number));
  }
  return explanation;
}

}  // namespace jitscope::compiler
