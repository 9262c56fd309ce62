// What the engine costs beyond the operators: a matched operator in replay, the recording of a
// thousand operators, a call of a small break-free graph. Prints one JSON object; times in
// nanoseconds of the thread's processor time, the best of many repetitions.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <functional>

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

void run(Program& program, const UserCode& userCode, const at::Tensor& input) {
  Tensors results;
  program.run({&input, 1}, {}, userCode, results);
}

void printMeasures() {
  const c10::NoGradGuard noGrad;
  at::set_num_threads(1);
  const at::Tensor input = at::randn({8});
  Tensors results;

  auto straight = makeProgram(instantBackend());
  run(straight, chain(3), input);
  RunReport report;
  const auto [hitNs] = bestTimesNs(200, 1000, [&] { straight.runGraph({&input, 1}, {}, report); });

  // The first call of each records; those after it are matched in replay.
  const UserCode shortCode = chain(100), longCode = chain(200);
  auto shortProgram = makeProgram(instantBackend()), longProgram = makeProgram(instantBackend());
  const auto [shortNs, longNs] = bestTimesNs(
      1000, 20, [&] { run(shortProgram, shortCode, input); },
      [&] { run(longProgram, longCode, input); });

  const UserCode thousand = chain(1000);
  const auto [eagerNs, captureNs] = bestTimesNs(
      100, 1,
      [&] {
        thousand({&input, 1}, results);
      },
      [&] {
        auto program = makeProgram(instantBackend());
        run(program, thousand, input);
      });

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
