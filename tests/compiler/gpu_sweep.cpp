// Random functions and special sizes on a GPU against eager: gpu_sweep FIRST-SEED COUNT. Prints
// each difference with its seed; the exit status is 1 when there is one.
#include <c10/core/GradMode.h>

#include <cstdio>
#include <cstdlib>

#include "compiler/backend.h"
#include "tests/compiler/random_fusion.h"

int main(int count, char** arguments) {
  using namespace jitscope::compiler;
  if (count != 3) {
    std::fprintf(stderr, "usage: gpu_sweep FIRST-SEED COUNT\n");
    return 2;
  }
  const c10::NoGradGuard noGrad;
  const uint64_t first = std::strtoull(arguments[1], nullptr, 10);
  const uint64_t number = std::strtoull(arguments[2], nullptr, 10);
  constexpr at::ScalarType kTypes[]{at::kFloat, at::kBFloat16, at::kHalf, at::kDouble};
  constexpr int64_t kRows[]{6, 1, 300, 37};
  uint64_t failures = 0;
  for (uint64_t seed = first; seed < first + number; ++seed) {
    RandomFusion random{.seed = seed,
                        .type = kTypes[seed % 4],
                        .device = {at::kCUDA, 0},
                        .rows = kRows[seed / 4 % 4]};
    RandomFusion exact = random;
    exact.type = at::kDouble;
    std::string difference;
    try {
      const TracedGraph traced = traceRandom(random);
      const auto actual =
          backendByName("fused")(traced.graph(), traced.inputs())(traced.inputs(), {});
      difference = differenceOf(actual, traced.results(), traceRandom(exact).results());
    } catch (const std::exception& error) {
      difference = error.what();
    }
    if (difference.empty()) continue;
    ++failures;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), difference.c_str());
  }
  std::printf("%llu of %llu functions differ\n", static_cast<unsigned long long>(failures),
              static_cast<unsigned long long>(number));
  return failures != 0;
}
