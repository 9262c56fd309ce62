#include "tests/benchmarks/import/kineto_workload.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace jitscope::analyzer {
namespace {

constexpr std::array<const char*, 6> kOperators{"aten::linear",     "aten::addmm", "aten::add_",
                                                "aten::layer_norm", "aten::gelu",  "aten::bmm"};
constexpr std::array<const char*, 4> kKernels{
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
    "ampere_sgemm_128x64_tn", "triton_poi_fused_add_gelu_3",
    "void (anonymous namespace)::softmax_warp_forward<c10::BFloat16, c10::BFloat16, float, 10>"};

/// One operator and all that it starts.
class WorkloadWriter {
 public:
  explicit WorkloadWriter(std::ofstream& file) : file_(file) {}

  void write(size_t bytes) {
    file_ << R"({
  "schemaVersion": 1,
  "deviceProperties": [
    {
      "id": 0, "name": "Some GPU", "totalGlobalMem": 84987740160,
      "computeMajor": 9, "computeMinor": 0, "numSms": 132
    }
  ],
  "with_stack": 1,
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1759536000000000000,
  "traceEvents": [
)";
    size_t written = 0;
    for (uint64_t number = 1; written < bytes; ++number) {
      text_.clear();
      addPython(number);
      addOperator(number);
      if (number % 3 == 0) addKernel(number);
      if (written + text_.size() >= bytes) text_.resize(text_.size() - 2);  // the last comma
      file_ << text_;
      written += text_.size();
    }
    file_ << "\n  ],\n  \"traceName\": \"workload.json\"\n}\n";
  }

 private:
  std::string time(uint64_t number, uint64_t offset) const {
    const uint64_t ns = number * 4'217 + offset;
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
  }

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  void addPython(uint64_t number) {
    for (uint64_t depth = 0; depth < 3; ++depth) {
      add(R"(  {{
    "ph": "X", "cat": "python_function", "name": "torch/nn/modules/module.py({}): _call_impl", "pid": 1407, "tid": 1407,
    "ts": {}, "dur": {}.250,
    "args": {{
      "Python parent id": {}, "Python id": {}, "Ev Idx": {}
    }}
  }},
)",
          1700 + depth, time(number, depth * 10), 900 - depth, number, number * 3 + depth,
          number * 5 + depth);
    }
  }

  void addOperator(uint64_t number) {
    add(R"(  {{
    "ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1407, "tid": 1407,
    "ts": {}, "dur": 3.125,
    "args": {{
      "External id": {},"Record function id": 0, "Concrete Inputs": ["", "", ""], "Input type": ["float", "float", "float"], "Input Strides": [[1024, 1], [1024, 1], [1]], "Input Dims": [[{}, 1024], [4096, 1024], [4096]], "Ev Idx": {}
    }}
  }},
)",
        kOperators[number % kOperators.size()], time(number, 100), number, 64 + number % 7,
        number * 5 + 3);
  }

  void addKernel(uint64_t number) {
    add(R"(  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1407, "tid": 1407,
    "ts": {}, "dur": 1.502,
    "args": {{
      "External id": {}, "cbid": 211, "correlation": {}
    }}
  }},
  {{
    "ph": "s", "id": {}, "pid": 1407, "tid": 1407, "ts": {},
    "cat": "ac2g", "name": "ac2g"
  }},
  {{
    "ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7,
    "ts": {}, "dur": 2.144,
    "args": {{
      "External id": {}, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": {}, "registers per thread": 32, "shared memory": 0, "blocks per SM": 1.939394, "warps per SM": 7.757576, "grid": [256, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 12
    }}
  }},
  {{
    "ph": "f", "id": {}, "pid": 0, "tid": 7, "ts": {},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }},
)",
        time(number, 300), number, number, number, time(number, 300),
        kKernels[number % kKernels.size()], time(number, 9'000), number, number, number,
        time(number, 9'000));
  }

  std::ofstream& file_;
  std::string text_;
};

}  // namespace

bool writeKinetoWorkload(const std::filesystem::path& path, size_t bytes) {
  std::ofstream file(path, std::ios::binary);
  WorkloadWriter(file).write(bytes);
  file.flush();
  return file.good();
}

}  // namespace jitscope::analyzer
