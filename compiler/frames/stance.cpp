#include "compiler/stance.h"

#include <atomic>
#include <stdexcept>

#include "compiler/frontend/program.h"

namespace jitscope {

namespace {

std::atomic<Stance> processStance{Stance::kDefault};

}  // namespace

void setStance(Stance stance) {
  if (compiler::captureState() != compiler::CaptureState::kNone) {
    throw std::logic_error("set a stance: not possible inside of a compiled function");
  }
  processStance.store(stance, std::memory_order_relaxed);
}

// The constructor made sure that no compiled function is around the scope.
StanceScope::~StanceScope() { processStance.store(before_, std::memory_order_relaxed); }

Stance currentStance() { return processStance.load(std::memory_order_relaxed); }

}  // namespace jitscope
