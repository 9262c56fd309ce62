#include "compiler/journal/journal.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>

#include "compiler/graph/print_operators.h"
#include "compiler/journal/log_lines.h"
#include "compiler/journal/log_text.h"
#include "compiler/journal/process.h"
#include "compiler/journal/sink.h"
#include "trace/clock.h"

namespace jitscope::compiler {
namespace {

/// What was already said, and texts that are expensive to make.
struct Memory {
  std::mutex mutex;
  std::set<std::string> breaks;            ///< place and type of those logged with their stack
  std::set<trace::FrameId> limitedFrames;  ///< whose recompile limit was warned of
  std::set<std::tuple<trace::FrameId, trace::AttemptId, trace::SegmentId>> plainSegments;
  std::unordered_map<std::string, trace::StringId> stacks;  ///< by their addresses

  template <class Key>
  bool isNew(std::set<Key> Memory::*set, const Key& key) {
    const std::lock_guard lock(mutex);
    return (this->*set).insert(key).second;
  }
};

Memory& memory() {
  static auto* remembered = new Memory;
  return *remembered;
}

bool isOwnFile = false;

/// An event must never take the program down: out of memory, it is lost.
template <class Body>
void guarded(Body body) noexcept {
  try {
    body();
  } catch (...) {
  }
}

/// The stack as text in the sink. Known breaks come again and again with the same stack.
trace::StringId internStack(Journal& journal, const UserStack& stack) {
  if (!journal.isRecording() || stack.isEmpty()) return trace::StringId{};
  std::string key(reinterpret_cast<const char*>(stack.addresses.data()),
                  stack.depth * sizeof(stack.addresses[0]));
  {
    const std::lock_guard lock(memory().mutex);
    const auto known = memory().stacks.find(key);
    if (known != memory().stacks.end()) return known->second;
  }
  const trace::StringId id = journal.intern(stackText(stack));
  if (id == trace::StringId{}) return id;  // between two files: it is asked for again
  const std::lock_guard lock(memory().mutex);
  memory().stacks.emplace(std::move(key), id);
  return id;
}

void emitBreak(Journal& journal, bool isFirst, const CompileId& id, trace::SegmentId after,
               const BreakReason& reason, const UserStack& stack, int64_t startNs, int64_t endNs) {
  journal.emit(trace::GraphBreakRow{.frame = id.frame,
                                    .attempt = id.attempt,
                                    .after = after,
                                    .startNs = startNs,
                                    .endNs = endNs,
                                    .thread = threadId(),
                                    .isFirst = isFirst ? 1 : 0,
                                    .reason = journal.intern(reason.type),
                                    .op = journal.intern(reason.op),
                                    .explanation = journal.intern(reason.explanation),
                                    .hint = journal.intern(reason.hint),
                                    .stack = internStack(journal, stack)});
}

void emitFailure(Journal& journal, const GuardFailure& failure, trace::AttemptId caused,
                 const UserStack& caller) {
  journal.emit(trace::GuardFailureRow{.frame = failure.entry.frame,
                                      .attempt = failure.entry.attempt,
                                      .timeNs = trace::nowNs(),
                                      .thread = threadId(),
                                      .caused = caused,
                                      .kind = journal.intern(failure.kind),
                                      .source = journal.intern(failure.source),
                                      .expected = journal.intern(failure.expected),
                                      .actual = journal.intern(failure.actual),
                                      .text = journal.intern(failure.text),
                                      .cause = journal.intern(failure.cause),
                                      .stack = internStack(journal, caller)});
}

void emitArtifact(Journal& journal, const CompilePlace& place, std::string_view kind,
                  std::string_view name, trace::StringId content) {
  if (!journal.isRecording()) return;
  journal.emit(trace::ArtifactRow{.frame = place.id.frame,
                                  .attempt = place.id.attempt,
                                  .segment = place.segment,
                                  .timeNs = trace::nowNs(),
                                  .kind = journal.intern(kind),
                                  .name = journal.intern(name),
                                  .content = content});
}

bool wants(uint32_t mask, LogKind kind) { return (mask & static_cast<uint32_t>(kind)) != 0; }

}  // namespace

std::string CompileId::text() const {
  return fmt::format("{}/{}", static_cast<int64_t>(frame), static_cast<int64_t>(attempt));
}

Journal& Journal::instance() {
  // Never destroyed: threads may still write while the process ends.
  static auto* journal = new Journal;
  return *journal;
}

Journal::Journal() noexcept {
  guarded([&] {
    logMask_ = chosenLogs();
    const JournalSink opened = openSink();
    sink_ = opened.sink;
    isOwnFile = opened.isOwnFile;
  });
}

trace::StringId Journal::intern(std::string_view text) noexcept {
  return sink_ && !text.empty() ? sink_->intern(text) : trace::StringId{};
}

void Journal::graphBreak(const CompileId& id, trace::SegmentId after, const BreakReason& reason,
                         const UserStack& stack, int64_t startNs, int64_t endNs) noexcept {
  if (!wantsCompileEvents()) return;
  guarded([&] {
    if (isRecording()) emitBreak(*this, true, id, after, reason, stack, startNs, endNs);
    if (!wants(logMask_, LogKind::kGraphBreaks)) return;
    const std::vector<SourceLine> lines = symbolize(stack);
    const bool isFirst = memory().isNew(&Memory::breaks, placeText(lines) + '\n' + reason.type);
    writeLog({'V', id.text(), "graph_breaks"}, graphBreakText(reason, lines, isFirst));
  });
}

void Journal::graphBreakPassed(const CompileId& id, trace::SegmentId after,
                               const BreakReason& reason, const UserStack& stack, int64_t startNs,
                               int64_t endNs) noexcept {
  if (!isRecording()) return;
  guarded([&] { emitBreak(*this, false, id, after, reason, stack, startNs, endNs); });
}

void Journal::recompile(const FrameName& frame, const CompileId& id,
                        const std::vector<GuardFailure>& failures,
                        const UserStack& caller) noexcept {
  if (!wantsCompileEvents()) return;
  guarded([&] {
    if (isRecording()) {
      for (const GuardFailure& failure : failures) emitFailure(*this, failure, id.attempt, caller);
    }
    if (!wants(logMask_, LogKind::kRecompiles)) return;
    writeLog({'V', id.text(), "recompiles"}, recompileText(frame, failures));
  });
}

void Journal::guardFailure(const GuardFailure& failure, const UserStack& caller) noexcept {
  if (!isRecording()) return;
  guarded([&] { emitFailure(*this, failure, trace::AttemptId::kNone, caller); });
}

void Journal::guards(const CompileId& id, const std::vector<GuardText>& guards) noexcept {
  if (!wantsCompileEvents()) return;
  guarded([&] {
    for (size_t i = 0; isRecording() && i < guards.size(); ++i) {
      emit(trace::GuardRow{.frame = id.frame,
                           .attempt = id.attempt,
                           .index = static_cast<int64_t>(i),
                           .kind = intern(guards[i].kind),
                           .source = intern(guards[i].source),
                           .expression = intern(guards[i].expression)});
    }
    if (wants(logMask_, LogKind::kGuards)) {
      writeLog({'V', id.text(), "guards"}, guardsText(guards));
    }
  });
}

void Journal::graphCode(const CompileId& id, trace::SegmentId segment,
                        const Graph& graph) noexcept {
  if (!wantsCompileEvents()) return;
  guarded([&] {
    const bool isLogged = wants(logMask_, LogKind::kGraphCode);
    if (!isLogged && !isRecording()) return;
    const std::string code = printReadable(graph);
    emitArtifact(*this, {id, segment}, "graph_code", graph.name, intern(code));
    if (isLogged) writeLog({'V', id.text(), "graph_code"}, graphCodeText(graph.name, code));
  });
}

void Journal::plainSegment(const CompileId& id, trace::SegmentId segment, int64_t opCount,
                           std::string_view reason, const UserStack& stack) noexcept {
  if (!wantsCompileEvents()) return;
  guarded([&] {
    const std::tuple key(id.frame, id.attempt, segment);
    if (!memory().isNew(&Memory::plainSegments, key)) return;
    emitArtifact(*this, {id, segment}, "plain_segment", reason, internStack(*this, stack));
    if (!wants(logMask_, LogKind::kPerfHints)) return;
    writeLog({'V', id.text(), "perf_hints"},
             plainSegmentText(segment, opCount, reason, symbolize(stack)));
  });
}

void Journal::aotGraph(const CompilePlace& place, std::string_view kind, std::string_view title,
                       const Graph& graph) noexcept {
  guarded([&] {
    const bool isLogged = wants(logMask_, LogKind::kAotGraphs);
    if (!isLogged && !isRecording()) return;
    const std::string code = printOperators(graph);
    emitArtifact(*this, place, kind, graph.name, intern(code));
    if (isLogged) writeLog({'V', place.id.text(), "aot_graphs"}, graphCodeText(title, code));
  });
}

void Journal::aotRefused(const CompilePlace& place, std::string_view graphName, int64_t opCount,
                         std::string_view reason) noexcept {
  guarded([&] {
    emitArtifact(*this, place, "aot_refused", reason, intern(graphName));
    for (const auto& [kind, name] : {std::pair(LogKind::kAotGraphs, "aot_graphs"),
                                     std::pair(LogKind::kPerfHints, "perf_hints")}) {
      if (!wants(logMask_, kind)) continue;
      writeLog({'V', place.id.text(), name}, aotRefusedText(graphName, opCount, reason));
      return;
    }
  });
}

void Journal::recompileLimit(const FrameName& frame, const CompileId& id, int64_t limit,
                             std::string_view limitName, std::string_view lastReason) noexcept {
  guarded([&] {
    if (!memory().isNew(&Memory::limitedFrames, frame.frame)) return;
    writeLog({'W', id.text(), ""}, recompileLimitText(frame, limit, limitName, lastReason));
  });
}

int64_t threadId() noexcept {
  thread_local const int64_t id = [] {
    const int64_t kernelId = syscall(SYS_gettid);
    Journal& journal = Journal::instance();
    if (isOwnFile && journal.isRecording()) journal.describeThisThread(kernelId);
    return kernelId;
  }();
  return id;
}

void Journal::describeThisThread(int64_t thread) noexcept { describeThread(*sink_, thread); }

}  // namespace jitscope::compiler
