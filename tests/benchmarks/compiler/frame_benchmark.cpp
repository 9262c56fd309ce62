// What a compiled function costs at each call: checking the guards of a hundred tensors, and a
// whole hit of a small break-free function beside the same function eagerly. Prints one JSON object
// a line; times in nanoseconds of the thread's processor time, the best of many repetitions.
// torch_compile_hit.py prints the peer's figure for the same function.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "compiler/compiler.h"
#include "compiler/frames/guards.h"
#include "tests/benchmarks/compiler/processor_time.h"

namespace jitscope::compiler {
namespace {

void measureGuards(size_t count) {
  std::vector<at::Tensor> tensors;
  for (size_t i = 0; i < count; ++i) tensors.push_back(at::ones({4, 16}));
  Leaves leaves;
  std::vector<std::string> sources;
  for (const at::Tensor& tensor : tensors) {
    leaves.push_back(Leaf::of(tensor));
    sources.push_back(fmt::format("L['x'][{}]", sources.size()));
  }
  GuardProgram guards(GlobalState::current());
  guards.add(leaves, sources, std::vector<LeafFreedom>(count));
  int held = 0;
  const auto [ns] = bestTimesNs(200, 2000, [&] {
    held += guards.holds({leaves, GlobalState::current()});
  });
  fmt::print("{{\"benchmark\": \"guards\", \"tensors\": {}, \"ns\": {:.0f}, \"held\": {}}}\n",
             count, ns, held > 0);
}

at::Tensor mlp(const at::Tensor& x, const at::Tensor& w) { return at::silu(at::matmul(x, w)); }

void measureHit() {
  const at::Tensor x = at::randn({4, 16}), w = at::randn({16, 16});
  const auto compiled = compile(mlp, {.backend = "eager"});
  compiled(x, w);
  const auto [eagerNs, hitNs] = bestTimesNs(
      400, 1000, [&] { mlp(x, w); }, [&] { compiled(x, w); });
  fmt::print(
      "{{\"benchmark\": \"hit\", \"eager_ns\": {:.0f}, \"compiled_ns\": {:.0f}, "
      "\"beyond_eager_ns\": {:.0f}}}\n",
      eagerNs, hitNs, hitNs - eagerNs);
}

}  // namespace
}  // namespace jitscope::compiler

int main() {
  const c10::NoGradGuard noGrad;
  at::set_num_threads(1);
  jitscope::compiler::measureGuards(1);
  jitscope::compiler::measureGuards(100);
  jitscope::compiler::measureHit();
}
