#include "compiler/frames/global_state.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/SavedTensorHooks.h>
#include <ATen/autocast_mode.h>
#include <c10/core/AutogradState.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace jitscope::compiler {

namespace {

uint64_t autocastBits() {
  const auto enabled = [](at::DeviceType device) {
    return static_cast<uint64_t>(at::autocast::is_autocast_enabled(device));
  };
  return enabled(at::kCPU) | enabled(at::kCUDA) << 1 |
         static_cast<uint64_t>(at::autocast::is_autocast_cache_enabled()) << 2;
}

uint64_t autocastDtypes() {
  return static_cast<uint64_t>(at::autocast::get_autocast_dtype(at::kCPU)) |
         static_cast<uint64_t>(at::autocast::get_autocast_dtype(at::kCUDA)) << 8;
}

uint64_t deterministicBits(const at::Context& context) {
  return static_cast<uint64_t>(context.deterministicAlgorithms()) |
         static_cast<uint64_t>(context.deterministicAlgorithmsWarnOnly()) << 1 |
         static_cast<uint64_t>(context.deterministicFillUninitializedMemory()) << 2;
}

uint64_t float32Bits(const at::Context& context) {
  using Backend = at::Float32Backend;
  using Op = at::Float32Op;
  return static_cast<uint64_t>(context.float32Precision(Backend::CUDA, Op::MATMUL)) |
         static_cast<uint64_t>(context.float32Precision(Backend::CUDA, Op::CONV)) << 4 |
         static_cast<uint64_t>(context.float32Precision(Backend::MKLDNN, Op::MATMUL)) << 8;
}

uint64_t reducedPrecisionBits(const at::Context& context) {
  return static_cast<uint64_t>(context.allowFP16ReductionCuBLAS()) |
         static_cast<uint64_t>(context.allowBF16ReductionCuBLAS()) << 4;
}

}  // namespace

GlobalState GlobalState::current() {
  const at::Context& context = at::globalContext();
  const c10::AutogradState& autograd = c10::AutogradState::get_tls_state();
  const c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
  const auto& hooks = at::SavedTensorDefaultHooks::get_tls_state();
  GlobalState state;
  state.fields_[kGradMode] = autograd.get_grad_mode();
  state.fields_[kInferenceMode] = autograd.get_inference_mode();
  state.fields_[kForwardGradMode] = autograd.get_fw_grad_mode();
  state.fields_[kAutocast] = autocastBits();
  state.fields_[kAutocastDtype] = autocastDtypes();
  state.fields_[kDeterministicAlgorithms] = deterministicBits(context);
  state.fields_[kFloat32Precision] = float32Bits(context);
  state.fields_[kReducedPrecision] = reducedPrecisionBits(context);
  state.fields_[kDefaultDtype] =
      static_cast<uint64_t>(c10::typeMetaToScalarType(c10::get_default_dtype()));
  state.fields_[kNumThreads] = static_cast<uint64_t>(at::get_num_threads());
  state.fields_[kDispatchKeys] = keys.included_.raw_repr() * 31 + keys.excluded_.raw_repr();
  state.fields_[kSavedTensorHooks] =
      hooks.stack.size() * 2 + static_cast<uint64_t>(hooks.disabled_error_message.has_value());
  return state;
}

const char* GlobalState::nameOf(size_t field) {
  static constexpr std::array<const char*, kFieldCount> kNames = {
      "grad_mode",   "inference_mode",    "fw_grad_mode",
      "autocast",    "autocast_dtype",    "deterministic_algorithms",
      "allow_tf32",  "reduced_precision", "default_dtype",
      "num_threads", "dispatch_keys",     "saved_tensors_hooks"};
  return kNames[field];
}

std::string GlobalState::difference(const GlobalState& other) const {
  std::string names;
  for (size_t field = 0; field < kFieldCount; ++field) {
    if (fields_[field] == other.fields_[field]) continue;
    // A mode that has a field of its own also shows in the dispatch keys: name it once.
    if (field == kDispatchKeys && !names.empty()) continue;
    if (!names.empty()) names += ' ';
    names += nameOf(field);
  }
  return names;
}

std::string GlobalState::text() const {
  std::string text = "{";
  for (size_t field = 0; field < kFieldCount; ++field) {
    text +=
        (field ? ", " : "") + std::string(nameOf(field)) + ": " + std::to_string(fields_[field]);
  }
  return text + "}";
}

}  // namespace jitscope::compiler
