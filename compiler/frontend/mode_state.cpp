#include "compiler/frontend/mode_state.h"

#include <ATen/autocast_mode.h>
#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "compiler/frontend/dispatch_hook.h"

namespace jitscope::compiler {

ModeState ModeState::current() {
  ModeState state;
  const auto keys = c10::impl::tls_local_dispatch_key_set();
  state.includedKeys = keys.included_.remove(captureKey()).raw_repr();
  state.excludedKeys = keys.excluded_.remove(captureKey()).raw_repr();
  const auto& autograd = c10::AutogradState::get_tls_state();
  state.isGradEnabled = autograd.get_grad_mode();
  state.isInferenceMode = autograd.get_inference_mode();
  constexpr std::array kKeys{c10::DispatchKey::AutocastCPU, c10::DispatchKey::AutocastCUDA};
  for (size_t i = 0; i < kKeys.size(); ++i) {
    if (keys.excluded_.has(kKeys[i])) continue;
    state.autocast[i] = {true, at::autocast::get_autocast_dtype(kAutocastDevices[i])};
  }
  return state;
}

ModeScope::ModeScope(const ModeState& modes) : saved_(ModeState::current()) { apply(modes); }

ModeScope::~ModeScope() { apply(saved_); }

void ModeScope::apply(const ModeState& modes) {
  auto keys = c10::impl::tls_local_dispatch_key_set();
  const auto withCapture = [](c10::DispatchKeySet now, uint64_t wanted) {
    const c10::DispatchKeySet others(c10::DispatchKeySet::RAW, wanted);
    return now.has(captureKey()) ? others.add(captureKey()) : others;
  };
  keys.included_ = withCapture(keys.included_, modes.includedKeys);
  keys.excluded_ = withCapture(keys.excluded_, modes.excludedKeys);
  c10::impl::_force_tls_local_dispatch_key_set(keys);
  auto& autograd = c10::AutogradState::get_tls_state();
  autograd.set_grad_mode(modes.isGradEnabled);
  autograd.set_inference_mode(modes.isInferenceMode);
  for (size_t i = 0; i < modes.autocast.size(); ++i) {
    if (modes.autocast[i].isEnabled) {
      at::autocast::set_autocast_dtype(ModeState::kAutocastDevices[i], modes.autocast[i].dataType);
    }
  }
}

}  // namespace jitscope::compiler
