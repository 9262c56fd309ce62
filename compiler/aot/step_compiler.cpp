#include "compiler/aot/step_compiler.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>

#include "compiler/aot/below_autograd.h"
#include "compiler/journal/journal.h"

namespace jitscope::compiler {
namespace {

struct StepNames {
  std::string_view artifact, title;
};

StepNames namesOf(Step step) {
  switch (step) {
    case Step::kInference:
      return {"aot_inference_graph", "Forward graph"};
    case Step::kForward:
      return {"aot_forward_graph", "Forward graph"};
    case Step::kBackward:
      return {"aot_backward_graph", "Backward graph"};
  }
  return {};
}

std::atomic<int64_t> compilationCount{0};

}  // namespace

StepCompiler::StepCompiler(Backend backend)
    : backend_(std::move(backend)),
      place_(CompileScope::current()),
      number_(compilationCount.fetch_add(1)) {}

CompiledGraph StepCompiler::compile(Step step, const Graph& graph,
                                    std::span<const at::Tensor> examples) const {
  auto& journal = Journal::instance();
  if (journal.wantsCompileEvents()) {
    const auto [artifact, title] = namesOf(step);
    journal.aotGraph(place_, artifact, fmt::format("{} {}", title, number_), graph);
  }
  try {
    const BelowAutograd below;  // as its graph will run
    return backend_(graph, examples);
  } catch (const std::exception& error) {
    tellRefused(graph, fmt::format("the backend failed: {}", error.what()));
    return interpret(graph);
  }
}

void StepCompiler::tellRefused(const Graph& graph, std::string_view reason) const {
  auto& journal = Journal::instance();
  if (!journal.wantsCompileEvents()) return;
  journal.aotRefused(place_, graph.name, static_cast<int64_t>(graph.opCount()), reason);
}

}  // namespace jitscope::compiler
