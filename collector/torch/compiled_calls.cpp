#include "collector/torch/compiled_calls.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

namespace jitscope::collector {
namespace {

struct Entry {
  trace::FrameId frame = trace::FrameId::kNone;
  bool isNew = true;
};

/// A graph that ran forwards, to be found again by its gradient.
struct Forward {
  int64_t sequence = -1, thread = 0;
  trace::FrameId frame = trace::FrameId::kNone;
  trace::AttemptId attempt = trace::AttemptId::kNone;
};

// What was told of entries. Never destroyed: threads may run compiled code while the process ends.
struct Entries {
  std::mutex mutex;
  std::map<std::pair<int64_t, trace::AttemptId>, Entry> byDynamoId;
  std::set<trace::FrameId> limited;
  /// By sequence number; a newer one takes the place of one that nobody asked for.
  std::array<Forward, 4096> forwards;

  Forward& forwardAt(int64_t sequence) {
    return forwards[static_cast<uint64_t>(sequence) % forwards.size()];
  }
};

Entries& entries() {
  static auto* all = new Entries;
  return *all;
}

std::atomic<bool> isAnyLimited{false};

std::optional<Entry> takeEntry(const CompiledRange& code) {
  Entries& all = entries();
  const std::lock_guard lock(all.mutex);
  const auto known = all.byDynamoId.find({code.frame, code.attempt});
  if (known == all.byDynamoId.end()) return std::nullopt;
  const Entry entry = known->second;
  known->second.isNew = false;
  return entry;
}

// F and C of a compile id: F/C, or !A/F/C under compiled autograd.
bool readCompileId(const char* id, CompiledRange& range) {
  if (*id == '!') id = std::strchr(id, '/') ? std::strchr(id, '/') + 1 : id;
  char* end = nullptr;
  range.frame = std::strtoll(id, &end, 10);
  if (end == id || *end != '/') return false;
  id = end + 1;
  range.attempt = trace::AttemptId{std::strtoll(id, &end, 10)};
  return end != id;
}

}  // namespace

std::optional<CompiledRange> compiledRangeOf(const char* name) {
  constexpr std::string_view kCode = "Torch-Compiled Region: ";
  using Kind = CompiledRange::Kind;
  if (name[0] != 'T' && name[0] != 'C') return std::nullopt;
  const std::string_view text(name);
  CompiledRange range;
  if (text == "TorchDynamo Cache Lookup") return range;
  if (text == "CompiledFunction" || text == "CompiledFunctionBackward") {
    range.kind = text.ends_with("Backward") ? Kind::kBackward : Kind::kForward;
    return range;
  }
  if (!text.starts_with(kCode) || !readCompileId(name + kCode.size(), range)) return std::nullopt;
  range.kind = Kind::kCode;
  return range;
}

void CompiledCalls::lookedUp(int64_t startNs, int64_t endNs, int64_t thread,
                             trace::EventSink& sink) {
  if (lookupEndNs_ != 0 && !isCompiling) writeEagerCall(thread, sink);
  lookupStartNs_ = startNs;
  lookupEndNs_ = endNs;
}

CompiledCalls::Begun CompiledCalls::codeBegun(const CompiledRange& code, int64_t startNs) {
  isCompiling = false;
  Begun begun{startNs, 0, running_};
  if (lookupEndNs_ != 0) {
    begun.startNs = lookupStartNs_;
    begun.guardNs = lookupEndNs_ - lookupStartNs_;
  }
  lookupEndNs_ = 0;
  running_ = code;
  return begun;
}

bool CompiledCalls::codeEnded(const CompiledRange& code, const Begun& begun, int64_t endNs,
                              int64_t thread, trace::EventSink& sink) {
  running_ = begun.around;
  const std::optional<Entry> entry = takeEntry(code);
  if (!entry) return false;
  trace::emit(sink, trace::CallRow{.frame = entry->frame,
                                   .attempt = code.attempt,
                                   .startNs = begun.startNs,
                                   .endNs = endNs,
                                   .thread = thread,
                                   .outcome = entry->isNew ? trace::CallOutcome::kCompiled
                                                           : trace::CallOutcome::kHit,
                                   .guardNs = begun.guardNs,
                                   .segmentsRun = 1});
  return true;
}

void CompiledCalls::forwardBegun(int64_t sequence, int64_t thread) const {
  if (running_.kind != CompiledRange::Kind::kCode || sequence < 0) return;
  Entries& all = entries();
  const std::lock_guard lock(all.mutex);
  const auto known = all.byDynamoId.find({running_.frame, running_.attempt});
  if (known == all.byDynamoId.end()) return;
  all.forwardAt(sequence) = {sequence, thread, known->second.frame, running_.attempt};
}

void CompiledCalls::writeEagerCall(int64_t thread, trace::EventSink& sink) {
  const int64_t startNs = lookupStartNs_;
  const int64_t endNs = lookupEndNs_;
  lookupEndNs_ = 0;
  if (!isAnyLimited.load(std::memory_order_relaxed)) return;
  Entries& all = entries();
  const std::lock_guard lock(all.mutex);
  // A lookup does not tell its frame. With several at the limit it is not known whose call this is.
  if (all.limited.size() != 1) return;
  // Where the eager code ends is not seen: a call without an extent.
  trace::emit(sink, trace::CallRow{.frame = *all.limited.begin(),
                                   .startNs = endNs,
                                   .endNs = endNs,
                                   .thread = thread,
                                   .outcome = trace::CallOutcome::kLimit,
                                   .guardNs = endNs - startNs});
}

void writeBackwardRegion(const trace::OpRow& backward, trace::EventSink& sink) {
  if (backward.sequence < 0) return;
  Entries& all = entries();
  const std::lock_guard lock(all.mutex);
  const Forward& forward = all.forwardAt(backward.sequence);
  if (forward.sequence != backward.sequence || forward.thread != backward.forwardThread) return;
  trace::emit(sink, trace::RegionRow{.frame = forward.frame,
                                     .attempt = forward.attempt,
                                     .segment = trace::SegmentId{0},
                                     .startNs = backward.startNs,
                                     .endNs = backward.endNs,
                                     .thread = backward.thread,
                                     .graph = sink.intern("backward graph")});
}

void expectEntry(int64_t dynamoFrame, trace::AttemptId attempt, trace::FrameId frame) {
  Entries& all = entries();
  const std::lock_guard lock(all.mutex);
  all.byDynamoId[{dynamoFrame, attempt}] = {frame, true};
}

void limitFrame(trace::FrameId frame) {
  Entries& all = entries();
  const std::lock_guard lock(all.mutex);
  all.limited.insert(frame);
  isAnyLimited = true;
}

}  // namespace jitscope::collector
