#include "tests/benchmarks/trace/workload.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace jitscope::trace {
namespace {

/// One operator of a step: what stays the same each time it runs.
struct PlannedOp {
  StringId outerName{}, innerName{}, shapes{}, kernelName{}, launch{};
  int64_t typicalKernelNs = 0;
  bool isReplayed = false;
};

constexpr size_t kOpsPerStep = 317;

std::vector<PlannedOp> planStep(EventSink& sink, std::mt19937_64& random) {
  const auto text = [&](const char* prefix, uint64_t kinds) {
    return sink.intern(prefix + std::to_string(random() % kinds));
  };
  std::vector<PlannedOp> plan(kOpsPerStep);
  for (PlannedOp& op : plan) {
    op = {text("aten::outer_", 40),
          text("aten::inner_", 60),
          text("[8, 512], [512, ", 90),
          text("void at::native::vectorized_elementwise_kernel<4, functor ", 80),
          text("grid 4x1x1 block 256x1x1 shared 0+0 registers ", 70),
          static_cast<int64_t>(2'000 + random() % 60'000),
          random() % 3 == 0};
  }
  return plan;
}

/// Times near `typical`, with the long tail that real ones have.
class Jitter {
 public:
  explicit Jitter(std::mt19937_64& random) : random_(random) {
    for (double& factor : factors_) factor = std::exp(normal_(random_));
  }
  int64_t near(int64_t typical) {
    const double factor = factors_[random_() % std::size(factors_)];
    return static_cast<int64_t>(static_cast<double>(typical) * factor);
  }

 private:
  std::mt19937_64& random_;
  std::normal_distribution<double> normal_{0, 0.5};
  double factors_[65'521];
};

}  // namespace

size_t writeWorkload(EventSink& sink, size_t events) {
  std::mt19937_64 random(7);
  const std::vector<PlannedOp> plan = planStep(sink, random);
  const StringId launchName = sink.intern("cudaLaunchKernel");
  const StringId graphName = sink.intern("cuLaunchKernelEx");
  const auto jitter = std::make_unique<Jitter>(random);
  constexpr int64_t kThread = 4711;
  int64_t hostNs = 1'790'000'000'000'000'000, deviceNs = hostNs, correlation = 1000;
  size_t written = 0;
  for (size_t i = 0; written < events; ++i, written += 4) {
    const PlannedOp& op = plan[i % plan.size()];
    const int64_t start = hostNs += jitter->near(1'200);
    const int64_t innerStart = hostNs += jitter->near(800);
    const int64_t apiStart = hostNs += jitter->near(900);
    const int64_t apiEnd = hostNs += jitter->near(2'300);
    const auto launched = static_cast<CorrelationId>(correlation += 1 + (i % 5 == 0));
    emit(sink, ApiRow{apiStart, apiEnd, kThread, launched, op.isReplayed ? graphName : launchName,
                      0, op.isReplayed});
    emit(sink, OpRow{innerStart, hostNs += jitter->near(400), kThread, 1, op.innerName, op.shapes});
    emit(sink, OpRow{start, hostNs += jitter->near(300), kThread, 0, op.outerName, op.shapes});
    const int64_t kernelStart = std::max(deviceNs, apiEnd) + jitter->near(1'000);
    deviceNs = kernelStart + jitter->near(op.typicalKernelNs);
    emit(sink, KernelRow{kernelStart, deviceNs, 0, 1, 7, launched, op.kernelName,
                         op.isReplayed ? Origin::kCompiled : Origin::kEager, op.launch});
  }
  return written;
}

}  // namespace jitscope::trace
