#include "compiler/frontend/segment_compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/journal/compile_scope.h"
#include "compiler/journal/journal.h"
#include "trace/clock.h"

namespace jitscope::compiler {
namespace {

bool canBeGraph(const Segment& segment) {
  bool hasNode = false;
  for (const auto& op : segment.operators) {
    hasNode |= !op.isOutsideGraph;
    for (const auto& argument : op.arguments) {
      const bool isConstant = argument.kind == RecordedArgument::Kind::kConstant;
      if (isConstant && !isPlainConstant(argument.constant)) return false;
    }
  }
  return hasNode;
}

}  // namespace

void compileSegment(const ProgramState& state, ProgramState::Learned& learned, int node,
                    std::vector<ValueRef> outputs, std::span<const at::Tensor> examples,
                    std::span<const int64_t> symbols, const ModeState* initialModes,
                    RunReport& report) {
  TreeNode& target = learned.tree.node(node);
  if (!canBeGraph(*target.segment)) return;
  const auto& id = state.context.id;
  const auto inputs = state.inputNames();
  GraphNaming naming{.name = fmt::format("graph_{}_{}_{}", static_cast<int64_t>(id.frame),
                                         static_cast<int64_t>(id.attempt), node),
                     .inputs = inputs,
                     .symbols = state.symbols,
                     .symbolValues = symbols,
                     .initialModes = initialModes};
  auto compiled = std::make_shared<CompiledSegment>();
  compiled->graph = graphOf(*target.segment, std::move(outputs), naming);
  compiled->startModes = initialModes ? *initialModes : startModes(*target.segment);
  auto& journal = Journal::instance();
  if (journal.wantsCompileEvents()) {
    fillSources(compiled->graph, *target.segment);
    journal.graphCode(id, static_cast<trace::SegmentId>(node), compiled->graph.graph);
  }
  const auto known =
      std::find_if(learned.compiled.begin(), learned.compiled.end(), [&](const auto& other) {
        return other->startModes == compiled->startModes &&
               isSameComputation(other->graph.graph, compiled->graph.graph);
      });
  if (known != learned.compiled.end()) {
    compiled->call = (*known)->call;
  } else {
    const int64_t startNs = trace::nowNs();
    const CompileScope scope({id, static_cast<trace::SegmentId>(node)});
    const ModeScope modes(compiled->startModes);
    compiled->call = state.context.backend(compiled->graph.graph, examples);
    report.backendNs += trace::nowNs() - startNs;
    ++report.segmentsCompiled;
    learned.compiled.push_back(compiled);
  }
  target.compiled = std::move(compiled);
}

}  // namespace jitscope::compiler
