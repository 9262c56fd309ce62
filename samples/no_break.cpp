// How is a break removed? The decision becomes a tensor operation: both results are computed and
// `where` picks one, so that the whole function is one graph, which `fullgraph` proves.
#include <ATen/ATen.h>

#include <iostream>

#include "compiler/compiler.h"

namespace {

at::Tensor step(const at::Tensor& x, const at::Tensor& w) {
  at::Tensor h = at::matmul(x, w);
  if (h.sum().item<float>() > 0) h = h * 2;
  return at::relu(h);
}

at::Tensor stepWithoutBreak(const at::Tensor& x, const at::Tensor& w) {
  at::Tensor h = at::matmul(x, w);
  h = at::where(h.sum() > 0, h * 2, h);
  return at::relu(h);
}

}  // namespace

int main() {
  at::manual_seed(0);
  const auto compiled = jitscope::compile(stepWithoutBreak, {.fullgraph = true});
  int equal = 0;
  for (int i = 0; i < 5; ++i) {
    const at::Tensor x = at::randn({4, 16}), w = at::randn({16, 16});
    equal += at::equal(compiled(x, w), step(x, w));
  }
  std::cout << "compiled with fullgraph, equal on " << equal << " of 5 random inputs\n";
  return equal == 5 ? 0 : 1;
}
