#include "compiler/frontend/random_state.h"

#include <ATen/CPUGeneratorImpl.h>

#include <mutex>

namespace jitscope::compiler {
namespace {

struct LockedGenerator {
  at::CPUGeneratorImpl* generator;
  std::scoped_lock<std::mutex> lock;
  LockedGenerator()
      : generator(at::check_generator<at::CPUGeneratorImpl>(at::detail::getDefaultCPUGenerator())),
        lock(generator->mutex_) {}
};

bool isSame(const at::mt19937_data_pod& left, const at::mt19937_data_pod& right) {
  return left.seed_ == right.seed_ && left.left_ == right.left_ && left.next_ == right.next_ &&
         left.state_ == right.state_;
}

}  // namespace

RandomState RandomState::current() {
  const LockedGenerator locked;
  return {locked.generator->engine(), locked.generator->next_float_normal_sample(),
          locked.generator->next_double_normal_sample()};
}

void RandomState::restore() const {
  const LockedGenerator locked;
  locked.generator->set_engine(engine);
  locked.generator->set_next_float_normal_sample(nextFloatNormal);
  locked.generator->set_next_double_normal_sample(nextDoubleNormal);
}

bool RandomState::isCurrent() const {
  const RandomState now = current();
  return isSame(now.engine.data(), engine.data()) && now.nextFloatNormal == nextFloatNormal &&
         now.nextDoubleNormal == nextDoubleNormal;
}

RandomMark RandomMark::current() {
  const LockedGenerator locked;
  const auto state = locked.generator->engine().data();
  return {state.seed_,
          state.left_,
          state.next_,
          state.state_[0],
          locked.generator->next_float_normal_sample().has_value(),
          locked.generator->next_double_normal_sample().has_value()};
}

}  // namespace jitscope::compiler
