// Why is a function compiled in pieces? Reading a number out of a tensor to decide in C++ what
// comes next ends the graph: what follows depends on data that the compiler does not have.
#include <ATen/ATen.h>

#include <iostream>

#include "compiler/compiler.h"

namespace {

at::Tensor step(const at::Tensor& x, const at::Tensor& w) {
  at::Tensor h = at::matmul(x, w);
  if (h.sum().item<float>() > 0) h = h * 2;  // data-dependent control flow
  return at::relu(h);
}

}  // namespace

int main() {
  at::manual_seed(0);
  const auto found = jitscope::explain(step, {.argumentNames = {"x", "w"}})(at::randn({4, 16}),
                                                                            at::randn({16, 16}));
  std::cout << "captured " << found.graphCount << " graphs, " << found.graphBreakCount
            << " break\n";
  for (const auto& reason : found.breakReasons) {
    std::cout << "reason: " << reason.reason << '\n';
    if (!reason.stack.empty()) {
      std::cout << "at " << reason.stack.front().file << ':' << reason.stack.front().line << '\n';
    }
  }
}
