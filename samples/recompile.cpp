// When is a function compiled again? The first size is compiled for itself; the second makes the
// dimension dynamic; later sizes compile nothing.
#include <ATen/ATen.h>

#include <iomanip>
#include <iostream>

#include "compiler/compiler.h"

namespace {

at::Tensor mlp(const at::Tensor& x, const at::Tensor& w) { return at::silu(at::matmul(x, w)); }

}  // namespace

int main() {
  int compiles = 0;
  const auto countingBackend = [&](const jitscope::compiler::Graph& graph,
                                   std::span<const at::Tensor>) {
    ++compiles;
    return interpret(graph);
  };
  const auto compiled =
      jitscope::compile(mlp, {.backend = countingBackend, .argumentNames = {"x", "w"}});
  const at::Tensor w = at::randn({16, 16});
  for (const int64_t batch : {4, 4, 8, 16, 32}) {
    compiled(at::randn({batch, 16}), w);
    std::cout << "batch=" << std::left << std::setw(3) << batch << " compiles so far " << compiles
              << '\n';
  }
}
