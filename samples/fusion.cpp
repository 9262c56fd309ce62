// What does fusing save? RMSNorm and SiLU are seven operators, each of which reads and writes
// memory; fused they are one kernel that reads its input once and writes its output once.
#include <ATen/ATen.h>

#include <iostream>

#include "compiler/compiler.h"
#include "compiler/explain_fusion.h"

namespace {

at::Tensor rmsNormSilu(const at::Tensor& x, const at::Tensor& w) {
  const at::Tensor h = x * at::rsqrt(x.pow(2).mean(-1, true) + 1e-6) * w;
  return at::silu(h);
}

/// The backend "fused", which says first what it makes of the graph.
jitscope::compiler::CompiledGraph explainAndFuse(const jitscope::compiler::Graph& graph,
                                                 std::span<const at::Tensor> inputs) {
  const auto explanation = explainFusion(graph);
  const auto inputBytes = static_cast<double>(inputs[0].nbytes());
  for (const std::string& kernel : explanation.kernels) std::cout << "kernel: " << kernel << '\n';
  std::cout << "traffic by model, in sizes of x: "
            << static_cast<double>(explanation.eagerBytes) / inputBytes << " eagerly, "
            << static_cast<double>(explanation.fusedBytes) / inputBytes << " fused\n";
  return jitscope::compiler::backendByName("fused")(graph, inputs);
}

}  // namespace

int main() {
  at::manual_seed(0);
  const at::Tensor x = at::randn({8, 4096}), w = at::randn({4096});
  const auto compiled =
      jitscope::compile(rmsNormSilu, {.backend = explainAndFuse, .argumentNames = {"x", "w"}});
  compiled(x, w);  // the first call is captured while it runs eagerly
  const bool isSame = compiled(x, w).allclose(rmsNormSilu(x, w), 1e-5, 1e-5);
  std::cout << "same result as eager: " << (isSame ? "yes" : "no") << '\n';
}
