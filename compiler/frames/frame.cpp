#include "compiler/frame.h"

#include <fmt/format.h>

#include <stdexcept>

#include "compiler/errors.h"
#include "compiler/frames/dimension_marks.h"
#include "compiler/frames/frame_call.h"
#include "compiler/frames/frame_registry.h"
#include "compiler/frames/readable_name.h"
#include "compiler/stance.h"
#include "trace/clock.h"

namespace jitscope::compiler {

namespace {

void checkMode(const std::string& mode) {
  if (mode.empty() || mode == "default") return;
  throw std::invalid_argument(
      fmt::format("compile: mode '{}' is not known; known is 'default'", mode));
}

/// Writes the row of one call when it ends, however it ends. Reads no clock when nothing records.
class CallRecord {
 public:
  CallRecord(trace::CallRow& row, trace::FrameId frame)
      : row_(row), isRecording_(Journal::instance().isRecording()) {
    row_.frame = frame;
    row_.outcome = trace::CallOutcome::kFailed;
    if (isRecording_) row_.startNs = trace::nowNs();
  }
  ~CallRecord() {
    if (!isRecording_) return;
    row_.endNs = trace::nowNs();
    row_.thread = threadId();
    Journal::instance().emit(row_);
  }
  CallRecord(const CallRecord&) = delete;
  CallRecord& operator=(const CallRecord&) = delete;

  bool isRecording() const { return isRecording_; }

 private:
  trace::CallRow& row_;
  const bool isRecording_;
};

std::shared_ptr<Entry> findEntry(FrameCall& call) {
  std::shared_ptr<Entry> found;
  size_t position = 0;
  {
    const std::shared_lock lock(call.frame.mutex);
    const auto& entries = call.frame.memory.entries;
    for (; position < entries.size(); ++position) {
      if (!accepts(*entries[position], call)) continue;
      found = entries[position];
      break;
    }
  }
  call.row.entriesTried = static_cast<int64_t>(position) + (found ? 1 : 0);
  if (found && position > 0) {
    const std::unique_lock lock(call.frame.mutex);
    auto& entries = call.frame.memory.entries;
    const auto it = std::find(entries.begin(), entries.end(), found);
    if (it != entries.end()) std::rotate(entries.begin(), it, it + 1);
  }
  return found;
}

std::vector<GuardFailure> collectFailures(const FrameCall& call) {
  std::vector<GuardFailure> failures;
  const std::shared_lock lock(call.frame.mutex);
  for (const auto& entry : call.frame.memory.entries) failures.push_back(whyNot(*entry, call));
  return failures;
}

std::string failureList(const std::vector<GuardFailure>& failures) {
  std::string text;
  for (const GuardFailure& failure : failures) {
    text += fmt::format("\n    - {}: {}", failure.entry.text(), failure.text);
  }
  return text;
}

/// Names the limit that this frame has reached, with its value; nothing below the limits.
struct Limit {
  int64_t value = 0;
  const char* name = nullptr;
};
Limit reachedLimit(const FrameState& frame) {
  const std::shared_lock lock(frame.mutex);
  const CompileOptions& options = frame.description.options;
  if (static_cast<int64_t>(frame.memory.entries.size()) >= options.recompileLimit) {
    return {options.recompileLimit, "recompile_limit"};
  }
  if (frame.memory.attemptsSinceReset >= options.accumulatedRecompileLimit) {
    return {options.accumulatedRecompileLimit, "accumulated_recompile_limit"};
  }
  return {};
}

void serveAtLimit(FrameCall& call, const Limit& limit, const std::vector<GuardFailure>& failures) {
  const std::string reason =
      failures.empty() ? "" : failures.front().entry.text() + ": " + failures.front().text;
  if (call.frame.description.options.fullgraph) {
    throw RecompileError(
        fmt::format("{} reached with fullgraph=true for function '{}' ({} compilations are kept): "
                    "last reason: {}",
                    limit.name, call.frame.identity().name, limit.value, reason));
  }
  const CompileId id =
      failures.empty() ? CompileId{call.frame.id, trace::AttemptId{0}} : failures.front().entry;
  Journal::instance().recompileLimit(call.frame.identity(), id, limit.value, limit.name, reason);
  if (Journal::instance().isRecording()) {
    const UserStack caller = UserStack::here();
    for (const GuardFailure& failure : failures) Journal::instance().guardFailure(failure, caller);
  }
  call.row.outcome = trace::CallOutcome::kLimit;
  serveEagerly(call);
}

/// What a miss does besides compiling, by stance.
enum class MissPolicy { kCompile, kProvisional, kEager };
MissPolicy missPolicy(FrameCall& call, Stance stance, const std::vector<GuardFailure>& failures) {
  if (stance == Stance::kEagerOnRecompile) return MissPolicy::kEager;
  if (stance == Stance::kFailOnRecompile ||
      (call.frame.description.options.failOnRecompile && !failures.empty())) {
    throw RecompileError(fmt::format("function '{}' would have to be compiled{}{}",
                                     call.frame.identity().name,
                                     failures.empty() ? "" : " again:", failureList(failures)));
  }
  if (stance != Stance::kEagerThenCompile && stance != Stance::kAotEagerThenCompile) {
    return MissPolicy::kCompile;
  }
  const std::unique_lock lock(call.frame.mutex);
  if (std::exchange(call.frame.memory.hasRunEagerly, true)) return MissPolicy::kCompile;
  return stance == Stance::kEagerThenCompile ? MissPolicy::kEager : MissPolicy::kProvisional;
}

/// An eager call that still counts as a sight of its sizes.
void observeSizes(FrameCall& call) {
  const std::vector<std::string> sources = callSources(call);
  EntryPlan plan;
  const std::unique_lock lock(call.frame.mutex);
  planLeaves(call.values.leaves(), 0, sources, call.frame.description.options,
             call.frame.memory.history, plan);
}

void serveMiss(FrameCall& call, Stance stance) {
  const std::vector<GuardFailure> failures = collectFailures(call);
  switch (missPolicy(call, stance, failures)) {
    case MissPolicy::kEager:
      if (stance == Stance::kEagerThenCompile) observeSizes(call);
      call.row.outcome = trace::CallOutcome::kForcedEager;
      return serveEagerly(call);
    case MissPolicy::kProvisional:
      return serveByCompiling(call, failures, /*isProvisional=*/true);
    case MissPolicy::kCompile:
      break;
  }
  if (const Limit limit = reachedLimit(call.frame); limit.name) {
    return serveAtLimit(call, limit, failures);
  }
  serveByCompiling(call, failures, /*isProvisional=*/false);
}

}  // namespace

FrameState::FrameState(FrameDescription described)
    : description(std::move(described)),
      backend(description.options.backend.resolve()),
      id(nextFrameId()) {
  checkMode(description.options.mode);
}

const FrameName& FrameState::identity() {
  std::call_once(identityOnce_, [this] {
    identity_.frame = id;
    identity_.defined = description.callSite;
    if (description.code) {
      SourceLine place = functionLine(description.code);
      if (!place.file.empty()) identity_.defined = std::move(place);
    }
    identity_.name =
        description.name.empty() ? withoutArguments(identity_.defined.function) : description.name;
  });
  return identity_;
}

Frame::Frame(FrameDescription description)
    : state_(std::make_unique<FrameState>(std::move(description))) {
  registerFrame(this);
  Journal& journal = Journal::instance();
  if (!journal.isRecording()) return;
  const FrameName& name = state_->identity();
  const CompileOptions& options = state_->description.options;
  trace::FrameRow row;
  row.frame = state_->id;
  row.timeNs = trace::nowNs();
  row.name = journal.intern(name.name);
  row.file = journal.intern(name.defined.file);
  row.line = name.defined.line;
  row.backend = journal.intern(options.backend.name());
  row.mode = journal.intern(options.mode.empty() ? "default" : options.mode);
  row.fullgraph = static_cast<int64_t>(options.fullgraph);
  row.dynamic = options.dynamic ? static_cast<int64_t>(*options.dynamic) : -1;
  journal.emit(row);
}

Frame::~Frame() { unregisterFrame(this); }

void Frame::call(const Leaves& arguments, const void* signature, TypedCall& typed) {
  if (captureState() != CaptureState::kNone) {  // inlined into the capture or replay around it
    Leaves result;
    return typed.runUserCode({}, result);
  }
  FrameState& state = *state_;
  state.counters.calls.fetch_add(1, std::memory_order_relaxed);
  trace::CallRow row;
  const CallRecord record(row, state.id);
  CallValues values(arguments);
  FrameCall call{state, values, {}, signature, typed, row};
  const Stance stance = currentStance();
  if (stance == Stance::kForceEager) {
    row.outcome = trace::CallOutcome::kForcedEager;
    return serveEagerly(call);
  }
  call.globalState = GlobalState::current();
  if (state.description.module.module) values.addModule(state.description.module);
  {
    const std::shared_lock lock(state.mutex);
    for (const auto& cell : state.memory.cells) values.addCell(cell, cell->read());
    call.resets = state.memory.resets;
  }
  const std::shared_ptr<Entry> entry = findEntry(call);
  if (record.isRecording()) row.guardNs = trace::nowNs() - row.startNs;
  if (!entry) return serveMiss(call, stance);
  state.counters.hits.fetch_add(1, std::memory_order_relaxed);
  serveFrom(entry, call);
}

void Frame::reset() {
  const std::unique_lock lock(state_->mutex);
  FrameMemory& memory = state_->memory;
  FrameMemory fresh;
  fresh.attempts = memory.attempts;  // compile ids stay unique over the life of the process
  fresh.resets = memory.resets + 1;
  memory = std::move(fresh);
  FrameCounters& counters = state_->counters;
  counters.calls = counters.hits = counters.compiles = counters.eager = counters.recompiles = 0;
}

std::vector<EntryView> Frame::entries() const {
  const std::shared_lock lock(state_->mutex);
  std::vector<EntryView> views;
  for (const auto& entry : state_->memory.entries) {
    EntryView& view = views.emplace_back();
    view.compileId = entry->id.text();
    view.isDynamic = !entry->symbols.empty();
    view.compileSeconds = entry->compileSeconds;
    for (const GuardText& guard : entry->guards.texts()) view.guards.push_back(guard.expression);
    for (const Program::SegmentView& segment : entry->program->segments()) {
      if (!segment.graph.nodes.empty()) view.graphs.push_back(segment.graph);
      // A graph that stands for all user code runs whatever its operators are.
      if (!segment.plainReason.empty() && !entry->program->isSelfContained())
        view.plainReasons.push_back(segment.plainReason);
      if (!segment.endsInBreak) continue;
      view.breaks.push_back({segment.reason.type, segment.reason.explanation, segment.reason.hint,
                             segment.reason.op, symbolize(segment.breakStack)});
    }
  }
  return views;
}

FrameCounts Frame::counts() const {
  const FrameCounters& counters = state_->counters;
  return {counters.calls, counters.hits, counters.compiles, counters.eager, counters.recompiles};
}

std::vector<RecompileView> Frame::recompiles() const {
  const std::shared_lock lock(state_->mutex);
  const auto& recompiles = state_->memory.recompiles;
  return {recompiles.begin(), recompiles.end()};
}

const std::string& Frame::name() const { return state_->identity().name; }

}  // namespace jitscope::compiler
