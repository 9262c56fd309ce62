// What the engine costs beyond the operators: a matched operator in replay, the recording of a
// thousand operators, a call of a small break-free graph. Prints one JSON object; times in
// nanoseconds of the thread's processor time, the best of many repetitions.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "compiler/frontend/program.h"
#include "tests/benchmarks/compiler/processor_time.h"

namespace jitscope::compiler {
namespace {

using Tensors = std::vector<at::Tensor>;

/// A backend whose graphs give the same tensors at every call: what is left is the engine's cost.
Backend instantBackend() {
  return [](const Graph& graph, std::span<const at::Tensor> examples) -> CompiledGraph {
    const Tensors outputs = interpret(graph)(examples, {});
    return [outputs](std::span<const at::Tensor>, std::span<const int64_t>) { return outputs; };
  };
}

Program makeProgram(Backend backend) {
  ProgramContext context;
  context.backend = std::move(backend);
  return Program(std::move(context), {{"L['x']"}}, {});
}

/// A chain of `length` operators as user code.
UserCode chain(int length) {
  return [length](std::span<const at::Tensor> inputs, Tensors& results) {
    at::Tensor value = inputs[0];
    for (int i = 0; i < length; ++i) value = value.neg();
    results = {value};
  };
}

/// A program that has recorded a chain of `length` operators, and runs it in replay when called.
std::function<void()> replayed(int length, const at::Tensor& input) {
  const auto program = std::make_shared<Program>(makeProgram(instantBackend()));
  auto call = [program, userCode = chain(length), input] {
    Tensors results;
    program->run({&input, 1}, {}, userCode, results);
  };
  call();
  return call;
}

/// Records a chain of `length` operators anew at each call.
std::function<void()> captured(int length, const at::Tensor& input) {
  return [userCode = chain(length), input] {
    auto program = makeProgram(instantBackend());
    Tensors results;
    program.run({&input, 1}, {}, userCode, results);
  };
}

void printMeasures() {
  const c10::NoGradGuard noGrad;
  at::set_num_threads(1);
  const at::Tensor input = at::randn({8});
  Tensors results;

  const auto thousand = [&input, &results, userCode = chain(1000)] {
    userCode({&input, 1}, results);
  };
  auto straight = makeProgram(instantBackend());
  straight.run({&input, 1}, {}, chain(3), results);
  RunReport report;
  const auto [hitNs] = bestTimesNs(200, 1000, [&] { straight.runGraph({&input, 1}, {}, report); });
  const auto [shortNs, longNs] = bestTimesNs(1000, 20, replayed(100, input), replayed(200, input));
  const auto [eagerNs, captureNs] = bestTimesNs(100, 1, thousand, captured(1000, input));

  fmt::print(
      "{{\"matched_operator_ns\": {:.0f}, \"eager_operator_ns\": {:.0f}, "
      "\"capture_1000_operators_over_eager_ns\": {:.0f}, \"break_free_hit_ns\": {:.0f}}}\n",
      (longNs - shortNs) / 100, eagerNs / 1000,
      // Eager twice: the instant backend runs the graph once to have its outputs.
      captureNs - 2 * eagerNs, hitNs);
}

}  // namespace
}  // namespace jitscope::compiler

int main() { jitscope::compiler::printMeasures(); }
