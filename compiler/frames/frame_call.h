#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "compiler/frame.h"
#include "compiler/frames/call_values.h"
#include "compiler/frames/entry.h"
#include "compiler/frames/entry_plan.h"
#include "compiler/frames/size_history.h"

/// \file
/// What a frame keeps, and the two ways in which it serves a call: from an entry, and by compiling
/// one.
namespace jitscope::compiler {

/// What a frame has learned. Guarded by the mutex beside it.
struct FrameMemory {
  std::vector<std::shared_ptr<Entry>> entries;  ///< the one that was used last comes first
  GuardedCells cells;                           ///< guarded values that user code has read
  SizeHistory history;
  int64_t attempts = 0;            ///< compilations ever, the next C of a compile id
  int64_t attemptsSinceReset = 0;  ///< what the accumulated limit counts
  int64_t resets = 0;
  std::deque<RecompileView> recompiles;
  bool hasRunEagerly = false;  ///< for the stances that begin with an eager call
};

/// See FrameCounts.
struct FrameCounters {
  std::atomic<int64_t> calls{0}, hits{0}, compiles{0}, eager{0}, recompiles{0};
};

/// Everything that a Frame is. Shared by the calls that run at once.
struct FrameState {
  explicit FrameState(FrameDescription described);

  /// Name and place; found out when first asked for, since that reads debug information.
  const FrameName& identity();

  /// Whether leaving out user code is sound when its graph is known.
  bool isPure() const { return description.isStateless || description.options.assumePure; }

  const FrameDescription description;
  const Backend backend;
  const trace::FrameId id;
  mutable std::shared_mutex mutex;
  FrameMemory memory;
  FrameCounters counters;

 private:
  std::once_flag identityOnce_;
  FrameName identity_;
};

/// One call on its way through a frame.
struct FrameCall {
  FrameState& frame;
  CallValues& values;
  GlobalState globalState;
  const void* signature = nullptr;
  TypedCall& typed;
  trace::CallRow& row;
  int64_t resets = 0;  ///< of the frame, when the call took its values

  GuardedCall guarded() const { return {values.leaves(), globalState}; }
};

/// The sources of the call's leaves, in their order.
std::vector<std::string> callSources(const FrameCall& call);

/// Whether the entry accepts the call.
bool accepts(const Entry& entry, const FrameCall& call);

/// Why it does not.
GuardFailure whyNot(const Entry& entry, const FrameCall& call);

/// Runs user code eagerly.
void serveEagerly(FrameCall& call);

/// Serves the call from an entry that accepts it.
void serveFrom(const std::shared_ptr<Entry>& entry, FrameCall& call);

/// Keeps the sizes that the entry's symbols stand for static in the frame's future entries: they
/// were tried and the code could not be explained.
void pinSymbols(const Entry& entry, FrameState& frame);

/// The row of a capture that ends now, as far as entry and report know it.
trace::CompileRow compileRow(const Entry& entry, const RunReport& report, int64_t startNs);

/// Throws ConstraintViolationError when the entry's program had to give up a dimension that the
/// user marked dynamic.
void throwIfMarked(const Entry& entry);

/// Compiles a new entry while serving the call. `failures` are those of the entries that there are.
/// With `isProvisional` the first layer alone is used and the entry is not kept.
void serveByCompiling(FrameCall& call, const std::vector<GuardFailure>& failures,
                      bool isProvisional);

/// The leaves of what user code gave; valid as long as this and the call live.
struct UserResult {
  Leaves leaves;
  std::unique_ptr<const ResultTemplate> own;  ///< holds the texts of a result that was replaced
};

/// Runs a program's user code for this call; what it gives ends up in `call.typed`.
RunReport runUserCode(Program& program, std::span<const at::Tensor> inputs,
                      std::span<const int64_t> symbols, const std::vector<uint32_t>& inputLeaves,
                      FrameCall& call, UserResult& result);

}  // namespace jitscope::compiler
