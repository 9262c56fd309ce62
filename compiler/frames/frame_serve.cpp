#include <fmt/format.h>

#include "compiler/errors.h"
#include "compiler/frames/dimension_marks.h"
#include "compiler/frames/frame_call.h"
#include "trace/clock.h"

namespace jitscope::compiler {

namespace {

/// Whether each dimension that the user marked dynamic in the meantime is open in this entry.
bool coversMarks(const Entry& entry, const Leaves& leaves) {
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (leaves[leaf].kind != Leaf::Kind::kTensor) continue;
    for (const DimensionMark& mark : marksOf(*leaves[leaf].tensor)) {
      if (mark.kind != DimensionMark::Kind::kDynamic) continue;
      const int64_t size = leaves[leaf].tensor->size(mark.dimension);
      if (size < mark.minimum || size > mark.maximum) continue;
      const auto isThis = [&](const SymbolSource& symbol) {
        return symbol.leaf == leaf && static_cast<int64_t>(symbol.dimension) == mark.dimension;
      };
      if (std::none_of(entry.symbols.begin(), entry.symbols.end(), isThis)) return false;
    }
  }
  return true;
}

bool hasScalarSymbol(const Entry& entry) {
  return std::any_of(entry.symbols.begin(), entry.symbols.end(),
                     [](const SymbolSource& symbol) { return symbol.isScalar(); });
}

/// Whether the graph alone may serve this entry's calls; then the result's shape, else null. An
/// integer that varies may steer a loop of user code, and numbers in the result may follow a
/// dynamic size: then user code has to run.
const ResultTemplate* graphAloneServes(const Entry& entry, const FrameState& frame) {
  if (!frame.isPure() || !entry.program->isSelfContained() || hasScalarSymbol(entry))
    return nullptr;
  const ResultTemplate* const result = entry.result();
  if (result && result->hasValues() && !entry.symbols.empty()) return nullptr;
  return result;
}

/// The arguments' tensors with those that the program replaced; empty when it replaced none.
std::vector<at::Tensor> replacedArguments(std::span<const at::Tensor> inputs,
                                          const std::vector<uint32_t>& inputLeaves,
                                          const Leaves& leaves) {
  bool hasReplaced = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    hasReplaced |= !inputs[i].is_same(*leaves[inputLeaves[i]].tensor);
  }
  std::vector<at::Tensor> tensors;
  if (!hasReplaced) return tensors;
  size_t next = 0;
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (leaves[leaf].kind != Leaf::Kind::kTensor) continue;
    const bool isInput = next < inputLeaves.size() && inputLeaves[next] == leaf;
    tensors.push_back(isInput ? inputs[next++] : *leaves[leaf].tensor);
  }
  return tensors;
}

/// A program that was dynamic by hypothesis and has just been refuted: its entry keeps to the sizes
/// of this call from now on.
void restrictEntry(const std::shared_ptr<Entry>& entry, GuardProgram guards, FrameCall& call) {
  auto narrowed = std::make_shared<Entry>(call.globalState);
  narrowed->id = entry->id;
  narrowed->signature = entry->signature;
  narrowed->guards = std::move(guards);
  narrowed->inputLeaves = entry->inputLeaves;
  narrowed->symbols = entry->symbols;
  narrowed->numbers = numbersOf(call.values.leaves());
  narrowed->program = entry->program;
  narrowed->compileSeconds = entry->compileSeconds;
  pinSymbols(*entry, call.frame);
  const std::unique_lock lock(call.frame.mutex);
  auto& entries = call.frame.memory.entries;
  std::replace(entries.begin(), entries.end(), entry, narrowed);
}

/// Guards of `entry` for exactly this call.
GuardProgram guardsOfThisCall(const FrameCall& call) {
  const Leaves& leaves = call.values.leaves();
  GuardProgram guards(call.globalState);
  guards.add(leaves, callSources(call), std::vector<LeafFreedom>(leaves.size()));
  return guards;
}

void noteLaterCapture(const Entry& entry, const RunReport& report, int64_t startNs,
                      FrameCall& call) {
  Journal& journal = Journal::instance();
  if (!journal.isRecording()) return;
  trace::CompileRow row = compileRow(entry, report, startNs);
  row.trigger = journal.intern(report.divergence.empty() ? "new path after a graph break"
                                                         : report.divergence);
  row.stack = journal.intern(stackText(UserStack::here()));
  journal.emit(row);
  call.row.outcome = trace::CallOutcome::kCompiled;
}

void runUserCodeOf(const std::shared_ptr<Entry>& entry, std::span<const at::Tensor> inputs,
                   std::span<const int64_t> symbols, FrameCall& call) {
  Program& program = *entry->program;
  const bool isHypothesis = program.generality() == Generality::kHypothesis;
  std::optional<GuardProgram> exactGuards;
  if (isHypothesis) {
    call.values.keep();
    exactGuards = guardsOfThisCall(call);
  }
  const int64_t startNs = Journal::instance().isRecording() ? trace::nowNs() : 0;
  UserResult result;
  const RunReport report = runUserCode(program, inputs, symbols, entry->inputLeaves, call, result);
  call.row.userCode = report.opsMatched > 0 ? trace::UserCode::kReplayed : trace::UserCode::kRan;
  call.row.segmentsRun = report.segmentsRun;
  call.row.divergences = report.divergences;
  if (report.segmentsCompiled > 0) {
    noteLaterCapture(*entry, report, startNs, call);
    if (program.isSelfContained()) entry->setResult(result.leaves);
  }
  if (isHypothesis && program.generality() == Generality::kFailed) {
    restrictEntry(entry, std::move(*exactGuards), call);
    throwIfMarked(*entry);
  }
}

}  // namespace

std::vector<std::string> callSources(const FrameCall& call) {
  std::vector<std::string> sources;
  call.typed.nameArguments(sources);
  if (call.frame.description.module.module) nameModule(call.frame.description.module, sources);
  call.values.nameCells(0, sources);
  return sources;
}

bool accepts(const Entry& entry, const FrameCall& call) {
  return entry.signature == call.signature && entry.guards.holds(call.guarded()) &&
         (!anyMarks() || coversMarks(entry, call.values.leaves()));
}

GuardFailure whyNot(const Entry& entry, const FrameCall& call) {
  GuardFailure failure;
  if (auto failed = entry.guards.firstFailure(call.guarded())) {
    failure = std::move(*failed);
  } else if (entry.signature != call.signature) {
    failure.kind = "TYPE_MATCH";
    failure.text = "the C++ types of the arguments or of the result differ";
    failure.cause = "type";
  } else {
    failure.kind = "DYNAMIC_INDICES";
    failure.text = "a dimension was marked dynamic after this entry was compiled with a static one";
    failure.cause = "size";
  }
  if (failure.source.starts_with(kModuleSource) &&
      (failure.cause == "scalar" || failure.cause == "length")) {
    failure.cause = "module";
  }
  failure.entry = entry.id;
  return failure;
}

void serveEagerly(FrameCall& call) {
  call.frame.counters.eager.fetch_add(1, std::memory_order_relaxed);
  const trace::CallOutcome outcome =
      std::exchange(call.row.outcome, trace::CallOutcome::kFailed);  // until user code has returned
  Leaves result;
  call.typed.runUserCode({}, result);
  call.row.outcome = outcome;
}

RunReport runUserCode(Program& program, std::span<const at::Tensor> inputs,
                      std::span<const int64_t> symbols, const std::vector<uint32_t>& inputLeaves,
                      FrameCall& call, UserResult& result) {
  std::vector<at::Tensor> results;
  const UserCode userCode = [&](std::span<const at::Tensor> used,
                                std::vector<at::Tensor>& tensors) {
    call.typed.runUserCode(replacedArguments(used, inputLeaves, call.values.leaves()),
                           result.leaves);
    for (const Leaf& leaf : result.leaves) {
      if (leaf.kind == Leaf::Kind::kTensor) tensors.push_back(*leaf.tensor);
    }
  };
  RunReport report = program.run(inputs, symbols, userCode, results);
  size_t next = 0;
  bool hasReplaced = false;
  for (const Leaf& leaf : result.leaves) {
    if (leaf.kind == Leaf::Kind::kTensor) hasReplaced |= !leaf.tensor->is_same(results[next++]);
  }
  if (hasReplaced) {
    // Building the new result ends the old one's life, and that of its texts.
    result.own = std::make_unique<const ResultTemplate>(result.leaves);
    result.leaves = result.own->leaves();
    call.typed.buildResult(result.leaves, results);
  }
  return report;
}

void throwIfMarked(const Entry& entry) {
  for (const SymbolSource& symbol : entry.symbols) {
    if (!symbol.isMarkedByUser) continue;
    std::string text = fmt::format(
        "Constraints violated ({0})! Not all values of {0} in the specified range are valid",
        symbol.source);
    for (const Specialization& specialization : entry.program->specializations()) {
      const SourceLine line = userLine(specialization.stack);
      text += fmt::format("\n  - {} was inferred to be a constant ({}): {}", specialization.source,
                          specialization.value, specialization.reason);
      if (!line.file.empty()) text += fmt::format("\n    at {}:{}", line.file, line.line);
    }
    text += fmt::format(
        "\nmake the code independent of this size, or use maybeMarkDynamic (compile id {})",
        entry.id.text());
    throw ConstraintViolationError(text);
  }
}

void serveFrom(const std::shared_ptr<Entry>& entry, FrameCall& call) {
  call.row.attempt = entry->id.attempt;
  const Leaves& leaves = call.values.leaves();
  const ProgramTensors inputs = programInputs(*entry, leaves);
  const auto symbols = symbolValues(*entry, leaves);
  call.row.outcome = trace::CallOutcome::kFailed;
  if (const auto* result = graphAloneServes(*entry, call.frame)) {
    RunReport report;
    const std::vector<at::Tensor> tensors = entry->program->runGraph(inputs, symbols, report);
    call.typed.buildResult(result->leaves(), tensors);
    call.row.userCode = trace::UserCode::kSkipped;
    call.row.segmentsRun = 1;
  } else {
    runUserCodeOf(entry, inputs, symbols, call);
  }
  if (call.row.outcome == trace::CallOutcome::kFailed) call.row.outcome = trace::CallOutcome::kHit;
}

}  // namespace jitscope::compiler
