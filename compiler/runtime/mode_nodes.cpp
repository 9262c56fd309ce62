#include "compiler/runtime/mode_nodes.h"

#include <ATen/autocast_mode.h>
#include <c10/core/AutogradState.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

#include <vector>

namespace jitscope::compiler {
namespace {

template <class T>
const T& attributeOf(const Node& node, size_t index) {
  const T* found = nullptr;
  if (index < node.arguments.size()) {
    const auto* attribute = std::get_if<Attribute>(&node.arguments[index].value);
    if (attribute) found = std::get_if<T>(attribute);
  }
  TORCH_CHECK(found != nullptr, node.op, ": argument ", index, " is absent or of another kind");
  return *found;
}

}  // namespace

ModeChange modeChangeOf(const Node& node) {
  using Kind = ModeChange::Kind;
  if (node.op == "jitscope::set_grad_enabled") return {Kind::kGrad, attributeOf<bool>(node, 0)};
  if (node.op == "jitscope::set_inference_mode") {
    return {Kind::kInference, attributeOf<bool>(node, 0)};
  }
  if (node.op == "jitscope::set_autocast") {
    return {Kind::kAutocast, attributeOf<bool>(node, 1), attributeOf<DeviceName>(node, 0).kind,
            attributeOf<DataType>(node, 2)};
  }
  return {};
}

struct ModeChanges::Saved {
  struct Autocast {
    c10::DeviceType device;
    c10::ScalarType dataType;
  };

  c10::AutogradState autograd = c10::AutogradState::get_tls_state();
  c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
  std::vector<Autocast> autocasts;  ///< in the order of the changes
  std::vector<std::unique_ptr<c10::InferenceMode>> inferenceModes;
};

ModeChanges::ModeChanges() : saved_(std::make_unique<Saved>()) {}

ModeChanges::~ModeChanges() {
  while (!saved_->inferenceModes.empty()) saved_->inferenceModes.pop_back();
  for (auto last = saved_->autocasts.rbegin(); last != saved_->autocasts.rend(); ++last) {
    at::autocast::set_autocast_dtype(last->device, last->dataType);
  }
  // Autocast's switch is one of the dispatch keys.
  c10::impl::_force_tls_local_dispatch_key_set(saved_->keys);
  c10::AutogradState::set_tls_state(saved_->autograd);
}

void ModeChanges::apply(const ModeChange& change) {
  switch (change.kind) {
    case ModeChange::Kind::kNone:
      return;
    case ModeChange::Kind::kGrad:
      c10::AutogradState::get_tls_state().set_grad_mode(change.isEnabled);
      return;
    case ModeChange::Kind::kInference:
      saved_->inferenceModes.push_back(std::make_unique<c10::InferenceMode>(change.isEnabled));
      return;
    case ModeChange::Kind::kAutocast: {
      const auto device = static_cast<c10::DeviceType>(change.deviceKind);
      saved_->autocasts.push_back({device, at::autocast::get_autocast_dtype(device)});
      at::autocast::set_autocast_enabled(device, change.isEnabled);
      const auto type = static_cast<c10::ScalarType>(change.dataType);
      if (change.isEnabled) at::autocast::set_autocast_dtype(device, type);
      return;
    }
  }
}

}  // namespace jitscope::compiler
