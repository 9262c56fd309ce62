#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>

#include <iostream>

#include "compiler/compiler.h"

int main() {
  const auto step = [](const at::Tensor& x, const at::Tensor& w) { return at::silu(x.matmul(w)); };
  auto compiled = jitscope::compile(step);
  const at::Tensor x = at::randn({4, 8}), w = at::randn({8, 2});
  // The second call is the compiled one.
  const bool same = at::equal(step(x, w), compiled(x, w)) && at::equal(step(x, w), compiled(x, w));
  std::cout << (same ? "compiled equals eager" : "compiled differs from eager") << '\n';
  return same ? 0 : 1;
}
