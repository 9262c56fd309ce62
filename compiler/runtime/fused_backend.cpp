#include "compiler/runtime/fused_backend.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <memory>
#include <set>

#include "compiler/journal/fusion_journal.h"
#include "compiler/loops/lowering.h"
#include "compiler/runtime/fused_graph.h"
#include "compiler/runtime/fusible.h"
#include "compiler/schedule/fusion.h"

namespace jitscope::compiler {
namespace {

/// The kinds of device that the buffers of nests are on.
std::set<int8_t> devicesOf(const LoopProgram& program) {
  std::set<int8_t> kinds;
  for (const LoopStep& step : program.steps) {
    const auto* nest = std::get_if<LoopNest>(&step);
    for (size_t i = 0; nest && i < nest->stores.size(); ++i) {
      kinds.insert(program.buffer(nest->stores[i].buffer).device.kind);
    }
  }
  return kinds;
}

bool hasNest(const LoopProgram& program) {
  return std::any_of(program.steps.begin(), program.steps.end(),
                     [](const LoopStep& step) { return std::holds_alternative<LoopNest>(step); });
}

trace::Result<std::shared_ptr<const FusedGraph>> fuse(const Graph& graph) {
  LoopProgram program = lowerGraph(graph);
  if (!hasNest(program)) return trace::Error{"none of its operators has loops"};
  const std::set<int8_t> devices = devicesOf(program);
  if (devices.size() > 1) return trace::Error{"its operators run on several kinds of devices"};
  const std::string before = printLoops(program);
  const FusionReport report = fuseNests(program, graph);
  const auto library =
      *devices.begin() == 1 ? compileForGpu(program) : compileForProcessor(program);
  if (!library) return library.error();
  FusedCode code{graph.name, before, printLoops(program), (*library)->source(), report.text(), {}};
  for (const KernelEntry& kernel : (*library)->kernels()) code.kernels.push_back(kernel.name);
  journalFusedCode(code);
  return std::make_shared<const FusedGraph>(graph, std::move(program), *library);
}

}  // namespace

CompiledGraph compileFused(const Graph& graph, std::span<const at::Tensor>) {
  CompiledGraph plain = interpret(graph);
  std::string reason = reasonAgainstFusion(graph);
  if (reason.empty()) {
    const auto fused = fuse(graph);
    if (fused) {
      return [fused = *fused, plain = std::move(plain)](std::span<const at::Tensor> inputs,
                                                        std::span<const int64_t> symbols) {
        return fused->accepts(inputs, symbols) ? fused->run(inputs, symbols)
                                               : plain(inputs, symbols);
      };
    }
    reason = fused.error().text;
  }
  journalUnfusedGraph(graph.name, reason);
  return plain;
}

}  // namespace jitscope::compiler
