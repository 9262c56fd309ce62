#include "collector/windows/step_counter.h"

namespace jitscope::collector {

StepMark stepMarkOf(std::string_view operatorName) noexcept {
  if (operatorName.starts_with("ProfilerStep#")) return StepMark::kProfiler;
  if (operatorName.starts_with("Optimizer.step#")) return StepMark::kOptimizer;
  return StepMark::kNone;
}

StepCounter::Ended StepCounter::end(StepMark mark, trace::StringId name) noexcept {
  if (mark == StepMark::kNone || mark < mark_) return {};
  if (mark > mark_) {
    mark_ = mark;
    ended_ = 0;
    optimizer_ = name;
  }
  if (mark == StepMark::kOptimizer && name != optimizer_) return {};
  ++ended_;
  if (ended_ == last_) return {Turn::kStop, ended_};
  if (ended_ == first_ - 1) return {Turn::kStart, first_};
  return {};
}

}  // namespace jitscope::collector
