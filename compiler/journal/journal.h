#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/errors.h"
#include "compiler/graph.h"
#include "compiler/source/user_stack.h"
#include "trace/schema.h"
#include "trace/sink.h"

/// \file
/// Every decision of the compiler, once as a row of the trace and once, when JITSCOPE_LOGS asks for
/// it, as a line on stderr in the format of TORCH_LOGS.
namespace jitscope::compiler {

/// The compile id `F/C` that an event belongs to.
struct CompileId {
  trace::FrameId frame = trace::FrameId::kNone;
  trace::AttemptId attempt = trace::AttemptId::kNone;

  std::string text() const;  ///< "0/1"
};

/// The segment that something is compiled for.
struct CompilePlace {
  CompileId id;
  trace::SegmentId segment = trace::SegmentId::kNone;
};

/// A guard of an entry, as the journal shows it.
struct GuardText {
  std::string kind, source, expression;
};

/// A guard that did not hold.
struct GuardFailure {
  CompileId entry;               ///< whose guard
  std::string kind, source;      ///< TENSOR_MATCH, L['x']
  std::string expected, actual;  ///< "3", "2"
  std::string text;              ///< Dynamo's words
  std::string cause;             ///< size, zero_one, scalar, string, dtype, device, rank, stride,
                                 ///< requires_grad, dispatch_keys, global_state, aliasing,
                                 ///< length, optional, module, parameter, guarded, type, divergence
};

/// The frame's identity in messages.
struct FrameName {
  trace::FrameId frame = trace::FrameId::kNone;
  std::string name;
  SourceLine defined;
};

/// Writes events to the collector's sink if the process is recorded, else to JITSCOPE_TRACE=FILE if
/// set, else nowhere. One per process; all calls are safe from any thread and never throw.
class Journal {
 public:
  static Journal& instance();

  /// Whether anything records rows. When false, do not even read the clock.
  bool isRecording() const { return sink_ != nullptr; }

  /// Whether somebody wants events of rare kinds (compilations, breaks, recompiles): rows or logs.
  bool wantsCompileEvents() const { return sink_ != nullptr || logMask_ != 0; }

  /// Text in the sink; 0 when nothing records.
  trace::StringId intern(std::string_view text) noexcept;

  /// Appends a row; does nothing when nothing records.
  template <class Row>
  void emit(const Row& row) noexcept {
    if (sink_) trace::emit(*sink_, row);
  }

  /// A graph break when it is captured: row (isFirst) and [__graph_breaks].
  void graphBreak(const CompileId& id, trace::SegmentId after, const BreakReason& reason,
                  const UserStack& stack, int64_t startNs, int64_t endNs) noexcept;

  /// A later pass of a known break: row only. `reason` and `stack` as at capture.
  void graphBreakPassed(const CompileId& id, trace::SegmentId after, const BreakReason& reason,
                        const UserStack& stack, int64_t startNs, int64_t endNs) noexcept;

  /// A recompile: rows of guard_failure (caused = id.attempt) and [__recompiles].
  void recompile(const FrameName& frame, const CompileId& id,
                 const std::vector<GuardFailure>& failures, const UserStack& caller) noexcept;

  /// A guard failure that compiles nothing (limit, stance, divergence in replay): row only.
  void guardFailure(const GuardFailure& failure, const UserStack& caller) noexcept;

  /// The guards of a new entry: rows and [__guards].
  void guards(const CompileId& id, const std::vector<GuardText>& guards) noexcept;

  /// A captured graph: artifact "graph_code" and [__graph_code].
  void graphCode(const CompileId& id, trace::SegmentId segment, const Graph& graph) noexcept;

  /// A segment that a replay runs operator by operator, once per segment: artifact "plain_segment",
  /// which is named by the reason and holds the stack, and [__perf_hints].
  void plainSegment(const CompileId& id, trace::SegmentId segment, int64_t opCount,
                    std::string_view reason, const UserStack& stack) noexcept;

  /// A functional graph that a backend gets: artifact of `kind` (`aot_forward_graph`, …) and
  /// [__aot_graphs], under `title` ("Forward graph 0").
  void aotGraph(const CompilePlace& place, std::string_view kind, std::string_view title,
                const Graph& graph) noexcept;

  /// A graph of so many operators that is not compiled ahead of time but left to the eager backend:
  /// artifact "aot_refused", which is named by the reason, [__aot_graphs] and [__perf_hints].
  void aotRefused(const CompilePlace& place, std::string_view graphName, int64_t opCount,
                  std::string_view reason) noexcept;

  /// The recompile limit: a warning on stderr, once per frame, in Dynamo's words.
  void recompileLimit(const FrameName& frame, const CompileId& id, int64_t limit,
                      std::string_view limitName, std::string_view lastReason) noexcept;

  /// The row that names the calling thread in a file of the journal's own. For `threadId`.
  void describeThisThread(int64_t thread) noexcept;

 private:
  Journal() noexcept;
  trace::EventSink* sink_ = nullptr;
  uint32_t logMask_ = 0;
};

/// The calling thread's id as traces hold it (the kernel's), cached.
int64_t threadId() noexcept;

}  // namespace jitscope::compiler
