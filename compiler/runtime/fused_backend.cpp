#include "compiler/runtime/fused_backend.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <utility>

#include "compiler/journal/fusion_journal.h"
#include "compiler/loops/lowering.h"
#include "compiler/runtime/fused_graph.h"
#include "compiler/runtime/fusible.h"
#include "compiler/schedule/fusion.h"

namespace jitscope::compiler {
namespace {

/// The devices that the buffers of nests are on, by kind and index.
std::set<std::pair<int8_t, int8_t>> devicesOf(const LoopProgram& program) {
  std::set<std::pair<int8_t, int8_t>> devices;
  for (const LoopStep& step : program.steps) {
    const auto* nest = std::get_if<LoopNest>(&step);
    for (size_t i = 0; nest && i < nest->stores.size(); ++i) {
      const auto& device = program.buffer(nest->stores[i].buffer).device;
      devices.emplace(device.kind, device.index);
    }
  }
  return devices;
}

bool hasNest(const LoopProgram& program) {
  return std::any_of(program.steps.begin(), program.steps.end(),
                     [](const LoopStep& step) { return std::holds_alternative<LoopNest>(step); });
}

trace::Result<std::shared_ptr<const FusedGraph>> fuse(const Graph& graph) {
  LoopProgram program = lowerGraph(graph);
  if (!hasNest(program)) return trace::Error{"none of its operators has loops"};
  const auto devices = devicesOf(program);
  if (devices.size() > 1) return trace::Error{"its operators run on several devices"};
  const std::string before = printLoops(program);
  const FusionReport report = fuseNests(program, graph);
  const auto library =
      devices.begin()->first == 1 ? compileForGpu(program) : compileForProcessor(program);
  if (!library) return library.error();
  FusedCode code{graph.name, before, printLoops(program), (*library)->source(), report.text(), {}};
  for (const KernelEntry& kernel : (*library)->kernels()) code.kernels.push_back(kernel.name);
  journalFusedCode(code);
  return std::make_shared<const FusedGraph>(graph, std::move(program), *library);
}

/// Runs a graph by its kernels, and as LibTorch has it where they cannot.
class FusedOrPlain {
 public:
  FusedOrPlain(const Graph& graph, std::shared_ptr<const FusedGraph> fused, CompiledGraph plain)
      : name_(graph.name),
        drawsNumbers_(drawsNumbers(graph)),
        fused_(std::move(fused)),
        plain_(std::move(plain)) {}

  std::vector<at::Tensor> run(std::span<const at::Tensor> inputs,
                              std::span<const int64_t> symbols) {
    if (hasFailed_ || !fused_->accepts(inputs, symbols)) return plain_(inputs, symbols);
    try {
      return fused_->run(inputs, symbols);
    } catch (const c10::OutOfMemoryError&) {
      if (drawsNumbers_) throw;
      return plain_(inputs, symbols);  // what failed now may work next time
    } catch (const std::exception& error) {
      if (drawsNumbers_) throw;  // whoever called knows the numbers' state before
      // What the user did wrong is thrown again here. Nothing has been changed yet.
      auto results = plain_(inputs, symbols);
      if (!hasFailed_.exchange(true)) journalUnfusedGraph(name_, error.what());
      return results;
    }
  }

 private:
  const std::string name_;
  const bool drawsNumbers_;
  const std::shared_ptr<const FusedGraph> fused_;
  const CompiledGraph plain_;
  std::atomic<bool> hasFailed_{false};
};

}  // namespace

CompiledGraph compileFused(const Graph& graph, std::span<const at::Tensor>) {
  CompiledGraph plain = interpret(graph);
  std::string reason = reasonAgainstFusion(graph);
  if (reason.empty()) {
    const auto fused = fuse(graph);
    if (fused) {
      const auto both = std::make_shared<FusedOrPlain>(graph, *fused, std::move(plain));
      return [both](std::span<const at::Tensor> inputs, std::span<const int64_t> symbols) {
        return both->run(inputs, symbols);
      };
    }
    reason = fused.error().text;
  }
  journalUnfusedGraph(graph.name, reason);
  return plain;
}

}  // namespace jitscope::compiler
