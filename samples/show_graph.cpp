// What does the compiler capture? A backend is any function from a graph to something that runs;
// this one prints the graph and hands it back as it is.
#include <ATen/ATen.h>

#include <iostream>

#include "compiler/compiler.h"

namespace {

jitscope::compiler::CompiledGraph showGraph(const jitscope::compiler::Graph& graph,
                                            std::span<const at::Tensor>) {
  std::cout << printPython(graph);
  return interpret(graph);
}

at::Tensor mlp(const at::Tensor& x, const at::Tensor& w) { return at::silu(at::matmul(x, w)); }

}  // namespace

int main() {
  const auto compiled = jitscope::compile(mlp, {.backend = showGraph, .argumentNames = {"x", "w"}});
  compiled(at::randn({4, 16}), at::randn({16, 16}));
}
