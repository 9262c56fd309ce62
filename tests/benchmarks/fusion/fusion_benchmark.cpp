// Times fused graphs against eager: fusion_benchmark [cpu|cuda] [NAME-PART]. One JSON line a row:
// median microseconds, GB/s of the bytes that inputs and outputs have, and what a copy of the
// device reaches. On a GPU the second-level cache is written over before each run.
#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/Event.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>

#include "compiler/backend.h"
#include "tests/benchmarks/fusion/fusion_rows.h"

namespace {

using jitscope::compiler::backendByName;
using jitscope::compiler::FusionRow;
using jitscope::compiler::interpret;
using jitscope::compiler::TracedGraph;

class Stopwatch {
 public:
  explicit Stopwatch(at::Device device) : device_(device) {
    if (device.is_cuda())
      cache_ = at::empty({256 << 20}, at::TensorOptions(at::kByte).device(device));
  }

  double medianUs(const std::function<void()>& run, int times) {
    for (int i = 0; i < 3; ++i) run();
    std::vector<double> each;
    for (int i = 0; i < times; ++i) each.push_back(device_.is_cuda() ? gpuUs(run) : cpuUs(run));
    std::nth_element(each.begin(), each.begin() + times / 2, each.end());
    return each[static_cast<size_t>(times / 2)];
  }

 private:
  double gpuUs(const std::function<void()>& run) {
    const c10::impl::VirtualGuardImpl guard(at::kCUDA);
    const c10::Stream stream = guard.getStream(device_);
    c10::Event begin(at::kCUDA, c10::EventFlag::BACKEND_DEFAULT);
    c10::Event end(at::kCUDA, c10::EventFlag::BACKEND_DEFAULT);
    cache_.zero_();
    begin.record(stream);
    run();
    end.record(stream);
    end.synchronize();
    return begin.elapsedTime(end) * 1e3;
  }

  static double cpuUs(const std::function<void()>& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
        .count();
  }

  const at::Device device_;
  at::Tensor cache_;
};

int64_t bytesOf(const std::vector<at::Tensor>& tensors) {
  int64_t bytes = 0;
  for (const at::Tensor& tensor : tensors) bytes += static_cast<int64_t>(tensor.nbytes());
  return bytes;
}

void measure(const FusionRow& row, Stopwatch& watch, at::Device device) {
  const TracedGraph traced = row.trace(device);
  const auto inputs = traced.inputs();
  const double ideal = static_cast<double>(bytesOf(inputs) + bytesOf(traced.results()));
  const auto eager = interpret(traced.graph());
  const auto begin = std::chrono::steady_clock::now();
  const auto fused = backendByName("fused")(traced.graph(), inputs);
  const double compileMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  const double eagerUs = watch.medianUs([&] { eager(inputs, {}); }, 15);
  const double fusedUs = watch.medianUs([&] { fused(inputs, {}); }, 31);
  std::printf(
      "{\"name\": \"%s\", \"ideal_bytes\": %.0f, \"eager_us\": %.2f, \"fused_us\": %.2f, "
      "\"fused_gb_s\": %.1f, \"compile_ms\": %.1f}\n",
      row.name.c_str(), ideal, eagerUs, fusedUs, ideal / fusedUs / 1e3, compileMs);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const c10::NoGradGuard noGrad;
  const bool isCuda = count > 1 && std::strcmp(arguments[1], "cuda") == 0;
  const at::Device device = isCuda ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
  const char* only = count > 2 ? arguments[2] : "";
  Stopwatch watch(device);
  const at::Tensor from =
      at::empty({int64_t{1} << (isCuda ? 29 : 25)}, at::TensorOptions(at::kByte).device(device));
  const at::Tensor to = at::empty_like(from);
  const double copyUs = watch.medianUs([&] { to.copy_(from); }, 15);
  std::printf("{\"device\": \"%s\", \"copy_gb_s\": %.1f}\n", isCuda ? "cuda" : "cpu",
              2 * static_cast<double>(from.nbytes()) / copyUs / 1e3);
  for (const FusionRow& row : jitscope::compiler::fusionRows(isCuda ? 1 : 16)) {
    if (row.name.find(only) == std::string::npos) continue;
    try {
      measure(row, watch, device);
    } catch (const std::exception& error) {
      std::printf("{\"name\": \"%s\", \"error\": \"%.160s\"}\n", row.name.c_str(), error.what());
    }
  }
}
