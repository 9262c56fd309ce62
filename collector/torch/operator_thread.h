#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "collector/torch/compiled_calls.h"
#include "collector/torch/name_cache.h"
#include "collector/torch/shapes.h"
#include "trace/schema.h"

namespace jitscope::collector {

/// An operator that runs.
struct OpenOperator {
  const void* function = nullptr;  ///< which call of LibTorch's recorder it is
  trace::OpRow row;
  bool isTimed = false;                   ///< one of those whose recording is timed
  std::optional<CompiledRange> compiled;  ///< what it means to torch.compile, if anything
  CompiledCalls::Begun begun;             ///< of a compiled region
};

/// What was counted while recording.
struct OperatorCounts {
  int64_t operators = 0;
  int64_t lost = 0;        ///< ended where their start is not known, or too deeply nested
  int64_t overheadNs = 0;  ///< estimated from a sample
};

/// The operators that run on one thread, innermost last, and what that thread looked up lately.
/// Only its own thread uses it, except for the counts.
class OperatorThread {
 public:
  /// That of the calling thread; null while the thread is being taken down.
  static OperatorThread* current();

  /// Sums up what all threads counted, those that have ended too.
  static OperatorCounts countsOfAll();

  OperatorThread();
  ~OperatorThread();
  OperatorThread(const OperatorThread&) = delete;
  OperatorThread& operator=(const OperatorThread&) = delete;

  /// The kernel's id of this thread; the right one in a forked child too.
  int64_t id();

  /// One operator in so many has its recording timed.
  static constexpr uint32_t kOverheadSample = 64;

  /// Puts an operator on top and gives it to be filled; null when they are nested too deeply.
  OpenOperator* push(const void* function);

  /// Takes an operator off, with whatever is above it: that ended elsewhere. Null when it is not
  /// there. The result is valid until the next push.
  OpenOperator* pop(const void* function);

  NameCache names;
  ShapeCache shapes;
  CompiledCalls calls;
  std::atomic<int64_t> operators{0}, lost{0}, overheadNs{0};  ///< written by the thread alone

 private:
  static constexpr uint32_t kDeepest = 256;
  std::array<OpenOperator, kDeepest> open_;
  uint32_t depth_ = 0;
  uint32_t pushes_ = 0;
  int64_t id_ = 0;
  uint32_t idOfProcess_ = 0;
};

/// The kernel's id of the thread that LibTorch numbers `logicalThread`; 0 when it ran no operator.
int64_t threadOfLogicalId(uint64_t logicalThread);

}  // namespace jitscope::collector
