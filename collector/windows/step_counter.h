#pragma once

#include <cstdint>
#include <string_view>

#include "trace/schema.h"

namespace jitscope::collector {

/// What ends a step of a program, the least telling first.
enum class StepMark : int {
  kNone,
  kOptimizer,  ///< the step of an optimizer
  kProfiler,   ///< a step of torch.profiler, or a range of the program's with such a name
  kProgram,    ///< jitscope_step
};

/// The mark that an operator of that name is: `Optimizer.step#NAME`, `ProfilerStep#N`.
StepMark stepMarkOf(std::string_view operatorName) noexcept;

/// Counts the steps of a process. Of marks of several kinds only the most telling count, from when
/// there is the first one; of optimizers only the first. Any thread.
class StepCounter {
 public:
  /// The first and the last step that are wanted, from 1; 0 and 0 for none.
  void prepare(int64_t first, int64_t last) noexcept { first_ = first, last_ = last; }

  bool isUsed() const noexcept { return first_ > 0; }

  /// Whether the wanted steps are those from the beginning on.
  bool isFirstWanted() const noexcept { return first_ == 1; }

  /// How many have ended.
  int64_t ended() const noexcept { return ended_; }

  /// What the end of a step begins or ends.
  enum class Turn { kNone, kStart, kStop };
  struct Ended {
    Turn turn = Turn::kNone;
    int64_t step = 0;  ///< the one that begins, or the one that ended
  };

  /// A step has ended. One thread at a time.
  Ended end(StepMark mark, trace::StringId name) noexcept;

 private:
  int64_t first_ = 0, last_ = 0;
  StepMark mark_ = StepMark::kNone;
  trace::StringId optimizer_{};
  int64_t ended_ = 0;
};

}  // namespace jitscope::collector
