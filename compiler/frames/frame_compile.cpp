#include <fmt/format.h>

#include <algorithm>

#include "compiler/errors.h"
#include "compiler/frames/frame_call.h"
#include "trace/clock.h"

namespace jitscope::compiler {

namespace {

/// A compilation under way: the entry to be, and what it becomes if its sizes cannot stay dynamic.
struct Compilation {
  std::shared_ptr<Entry> entry;
  GuardProgram staticGuards;
  EntryPlan plan;
  UserStack caller;
  int64_t startNs = 0;
  bool isTorn = false;  ///< user code read another value than the one that is guarded
};

/// The values that the symbols of `entry` had in the call that `sample` was compiled in, if it can
/// teach about them: that call differed from this one in each symbol's value, which was not 0 or 1,
/// and in nothing else that guards look at. Empty when it cannot.
std::vector<int64_t> valuesInSample(const Entry& sample, const Entry& entry) {
  if (sample.signature != entry.signature) return {};
  LeafNumbers expected = sample.numbers;
  if (expected.size() != entry.numbers.size()) return {};
  std::vector<int64_t> values;
  for (const SymbolSource& symbol : entry.symbols) {
    const size_t index = symbol.position();
    const auto& now = entry.numbers[symbol.leaf];
    auto& then = expected[symbol.leaf];
    if (then.size() != now.size() || then[index] < 2 || then[index] == now[index]) return {};
    values.push_back(std::exchange(then[index], now[index]));
  }
  if (expected != entry.numbers) return {};
  return values;
}

void learnFromEarlierEntry(const Entry& entry, FrameCall& call) {
  if (entry.symbols.empty()) return;
  std::vector<std::shared_ptr<Entry>> earlier;
  {
    const std::shared_lock lock(call.frame.mutex);
    earlier = call.frame.memory.entries;
  }
  for (const auto& sample : earlier) {
    std::vector<int64_t> values = valuesInSample(*sample, entry);
    if (values.empty()) continue;
    entry.program->learnFrom(*sample->program, std::move(values));
    return;
  }
}

Compilation planCompilation(FrameCall& call, bool isProvisional) {
  FrameState& frame = call.frame;
  const std::vector<std::string> sources = callSources(call);
  const Leaves& leaves = call.values.leaves();
  Compilation compilation{std::make_shared<Entry>(call.globalState),
                          GuardProgram(call.globalState),
                          {},
                          UserStack::here(),
                          trace::nowNs()};
  EntryPlan& plan = compilation.plan;
  Entry& entry = *compilation.entry;
  {
    const std::unique_lock lock(frame.mutex);
    planLeaves(leaves, 0, sources, frame.description.options, frame.memory.history, plan);
    entry.id = {frame.id, static_cast<trace::AttemptId>(frame.memory.attempts++)};
    ++frame.memory.attemptsSinceReset;
  }
  entry.signature = call.signature;
  entry.guards.add(leaves, plan.sources, plan.freedoms);
  for (const auto& equal : plan.equalSizes) entry.guards.requireEqualSizes(equal);
  compilation.staticGuards.add(leaves, plan.sources, staticFreedoms(plan));
  entry.inputLeaves = plan.inputLeaves;
  entry.symbols = plan.symbols;
  entry.numbers = numbersOf(leaves);
  const CompileOptions& options = frame.description.options;
  ProgramContext context;
  context.frame = frame.identity();
  context.id = entry.id;
  context.backend = isProvisional ? backendByName("eager") : frame.backend;
  context.fullgraph = options.fullgraph;
  context.hookInputs = options.hookInputs;
  entry.program = std::make_shared<Program>(std::move(context), plan.inputs, plan.programSymbols);
  learnFromEarlierEntry(entry, call);
  return compilation;
}

/// The compilation that runs on this thread, for guarded values that user code reads in it.
struct RunningCompilation {
  FrameCall* call;
  Compilation* compilation;
  RunningCompilation* outer;
};
thread_local RunningCompilation* running = nullptr;

class RunningScope {
 public:
  RunningScope(FrameCall& call, Compilation& compilation) : self_{&call, &compilation, running} {
    running = &self_;
  }
  ~RunningScope() { running = self_.outer; }
  RunningScope(const RunningScope&) = delete;
  RunningScope& operator=(const RunningScope&) = delete;

 private:
  RunningCompilation self_;
};

/// What the call has to take so that it holds `cell` and its leaves stand in the frame's order:
/// also the cells that other threads have found meanwhile. Needs the frame's mutex.
GuardedCells missingCells(const std::shared_ptr<const GuardedCell>& cell, const FrameCall& call) {
  FrameMemory& memory = call.frame.memory;
  if (call.resets != memory.resets) return {cell};  // the frame has forgotten the call's order
  GuardedCells& cells = memory.cells;
  if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
  return {cells.begin() + static_cast<std::ptrdiff_t>(call.values.cellCount()), cells.end()};
}

void addGuardedCell(const std::shared_ptr<const GuardedCell>& cell,
                    const std::shared_ptr<const void>& value, FrameCall& call,
                    Compilation& compilation) {
  if (const void* held = call.values.valueOf(*cell)) {
    compilation.isTorn |= held != value.get();
    return;
  }
  Entry& entry = *compilation.entry;
  EntryPlan& plan = compilation.plan;
  const size_t first = call.values.leaves().size();
  const size_t firstCell = call.values.cellCount();
  const size_t firstInput = plan.inputLeaves.size();
  const std::unique_lock lock(call.frame.mutex);
  for (const auto& missing : missingCells(cell, call)) {
    call.values.addCell(missing, missing == cell ? value : missing->read());
  }
  std::vector<std::string> sources;
  call.values.nameCells(firstCell, sources);
  planLeaves(call.values.leaves(), first, sources, call.frame.description.options,
             call.frame.memory.history, plan);
  // What this run has already computed with the value cannot become a symbol any more.
  const std::vector<LeafFreedom> freedoms(sources.size());
  entry.guards.add(call.values.leaves(), sources, freedoms);
  compilation.staticGuards.add(call.values.leaves(), sources, freedoms);
  entry.numbers = numbersOf(call.values.leaves());
  for (size_t i = firstInput; i < plan.inputLeaves.size(); ++i) {
    const uint32_t leaf = plan.inputLeaves[i];
    Program::addInput(plan.inputs[i], *call.values.leaves()[leaf].tensor);
    entry.inputLeaves.push_back(leaf);
  }
}

void keepDynamicOrPin(Compilation& compilation, FrameCall& call) {
  Entry& entry = *compilation.entry;
  if (entry.symbols.empty() || entry.program->generality() != Generality::kFailed) return;
  throwIfMarked(entry);
  entry.guards = std::move(compilation.staticGuards);
  pinSymbols(entry, call.frame);
}

void journalSpecializations(const Entry& entry) {
  Journal& journal = Journal::instance();
  if (!journal.isRecording()) return;
  for (const Specialization& specialization : entry.program->specializations()) {
    trace::SpecializationRow row;
    row.frame = entry.id.frame;
    row.attempt = entry.id.attempt;
    row.timeNs = trace::nowNs();
    row.source = journal.intern(specialization.source);
    row.value = specialization.value;
    row.reason = journal.intern(specialization.reason);
    row.stack = journal.intern(stackText(specialization.stack));
    journal.emit(row);
  }
}

void journalCompile(const Compilation& compilation, const RunReport& report,
                    const std::vector<GuardFailure>& failures, const std::string& error) {
  Journal& journal = Journal::instance();
  const Entry& entry = *compilation.entry;
  const std::vector<GuardText> guards = entry.guards.texts();
  if (error.empty()) journal.guards(entry.id, guards);
  if (!journal.isRecording()) return;
  trace::CompileRow row = compileRow(entry, report, compilation.startNs);
  row.trigger = journal.intern(failures.empty() ? "first call" : failures.front().text);
  row.failure = journal.intern(error);
  row.breakCount = report.breaks;
  row.guardCount = static_cast<int64_t>(guards.size());
  row.stack = journal.intern(stackText(compilation.caller));
  journal.emit(row);
  journalSpecializations(entry);
}

/// Keeps the entry, unless in the meantime another thread has compiled one for the same call or
/// made the frame forget everything.
void publish(const std::shared_ptr<Entry>& entry, FrameCall& call) {
  const std::unique_lock lock(call.frame.mutex);
  if (call.resets != call.frame.memory.resets) return;
  auto& entries = call.frame.memory.entries;
  const auto isServed = [&](const auto& other) { return accepts(*other, call); };
  if (std::any_of(entries.begin(), entries.end(), isServed)) return;
  entries.insert(entries.begin(), entry);
}

RunReport runCapture(Compilation& compilation, FrameCall& call) {
  Entry& entry = *compilation.entry;
  const Leaves& leaves = call.values.leaves();
  const ProgramTensors inputs = programInputs(entry, leaves);
  const auto symbols = symbolValues(entry, leaves);
  UserResult result;
  RunReport report;
  {
    const RunningScope scope(call, compilation);
    report = runUserCode(*entry.program, inputs, symbols, entry.inputLeaves, call, result);
  }
  // Without a result user code runs in each call, and what it reads is compared.
  if (entry.program->isSelfContained() && !compilation.isTorn) entry.setResult(result.leaves);
  return report;
}

void noteRecompile(FrameCall& call, const CompileId& id,
                   const std::vector<GuardFailure>& failures) {
  constexpr size_t kMostKept = 64;
  RecompileView view{id.text(), {}};
  for (const GuardFailure& failure : failures) {
    view.failures.push_back(failure.entry.text() + ": " + failure.text);
  }
  call.frame.counters.recompiles.fetch_add(1, std::memory_order_relaxed);
  const std::unique_lock lock(call.frame.mutex);
  auto& recompiles = call.frame.memory.recompiles;
  if (recompiles.size() == kMostKept) recompiles.pop_front();
  recompiles.push_back(std::move(view));
}

}  // namespace

void noteGuardedRead(const std::shared_ptr<const GuardedCell>& cell,
                     const std::shared_ptr<const void>& value) {
  if (running == nullptr || captureState() != CaptureState::kCapturing) return;
  addGuardedCell(cell, value, *running->call, *running->compilation);
}

trace::CompileRow compileRow(const Entry& entry, const RunReport& report, int64_t startNs) {
  trace::CompileRow row;
  row.frame = entry.id.frame;
  row.attempt = entry.id.attempt;
  row.startNs = startNs;
  row.endNs = trace::nowNs();
  row.thread = threadId();
  row.captureNs = report.captureNs;
  row.backendNs = report.backendNs;
  row.graphCount = report.segmentsCompiled;
  row.opCount = report.opsCaptured;
  row.isDynamic = static_cast<int64_t>(!entry.symbols.empty());
  return row;
}

void pinSymbols(const Entry& entry, FrameState& frame) {
  const std::unique_lock lock(frame.mutex);
  for (const SymbolSource& symbol : entry.symbols) {
    frame.memory.history.pin(symbol.leafSource(), symbol.position());
  }
}

void serveByCompiling(FrameCall& call, const std::vector<GuardFailure>& failures,
                      bool isProvisional) {
  call.values.keep();
  Compilation compilation = planCompilation(call, isProvisional);
  Entry& entry = *compilation.entry;
  Journal& journal = Journal::instance();
  if (!failures.empty() && journal.wantsCompileEvents()) {
    journal.recompile(call.frame.identity(), entry.id, failures, compilation.caller);
  }
  call.row.attempt = entry.id.attempt;
  RunReport report;
  try {
    report = runCapture(compilation, call);
    keepDynamicOrPin(compilation, call);
  } catch (const std::exception& error) {
    if (journal.wantsCompileEvents()) journalCompile(compilation, report, failures, error.what());
    throw;
  }
  entry.compileSeconds = static_cast<double>(trace::nowNs() - compilation.startNs) * 1e-9;
  if (journal.wantsCompileEvents()) journalCompile(compilation, report, failures, "");
  if (!isProvisional) publish(compilation.entry, call);
  call.frame.counters.compiles.fetch_add(1, std::memory_order_relaxed);
  if (!failures.empty()) noteRecompile(call, entry.id, failures);
  call.row.outcome = trace::CallOutcome::kCompiled;
  call.row.segmentsRun = report.segmentsRun;
}

}  // namespace jitscope::compiler
