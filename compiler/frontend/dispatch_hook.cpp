#include "compiler/frontend/dispatch_hook.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <array>

namespace jitscope::compiler {
namespace {

// In the order of preference. All are above autograd; none has a fallback in LibTorch itself.
constexpr std::array kCandidates{c10::DispatchKey::TESTING_ONLY_GenericMode,
                                 c10::DispatchKey::TESTING_ONLY_GenericWrapper};

thread_local OperatorListener* currentListener = nullptr;
thread_local OperatorTracer* currentTracer = nullptr;
thread_local bool isObserved = true;  // whether observers see operators beside the listener

void onOperator(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  if (currentTracer != nullptr) return currentTracer->onDispatch(op, keys, *stack);
  OperatorListener* const listener = currentListener;
  if (listener && listener->serveSimply(op, *stack)) return;
  const QuietScope quiet;
  if (listener) {
    listener->onOperator(op, *stack);
  } else {
    op.callBoxed(stack);
  }
}

/// The thread's modes with the capture key and functionalization switched on.
c10::impl::LocalDispatchKeySet tracedKeys() {
  const auto traced = c10::DispatchKeySet({captureKey(), c10::DispatchKey::Functionalize});
  auto keys = c10::impl::tls_local_dispatch_key_set();
  keys.included_ = keys.included_ | traced;
  keys.excluded_ = keys.excluded_ - traced;
  return keys;
}

struct Registration {
  c10::DispatchKey key;
  torch::Library library;
};

c10::DispatchKey freeKey() {
  std::string taken;
  for (const auto key : kCandidates) {
    if (!c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(key)) return key;
    taken += std::string(taken.empty() ? "" : ", ") + c10::toString(key);
  }
  TORCH_CHECK(false, "jitscope: capture: another library has registered a fallback on every ",
              "dispatch key that could be used (", taken, "); unload that library");
}

const Registration& registration() {
  // Never destroyed: user threads may still run operators while the process exits.
  static const Registration* const instance = [] {
    const auto key = freeKey();
    auto* made = new Registration{key, {torch::Library::IMPL, "_", key, __FILE__, __LINE__}};
    made->library.fallback(torch::CppFunction::makeFromBoxedFunction<&onOperator>());
    return made;
  }();
  return *instance;
}

}  // namespace

c10::DispatchKey captureKey() {
  static const c10::DispatchKey key = registration().key;
  return key;
}

ListenScope::ListenScope(OperatorListener& listener)
    : outer_(currentListener),
      outerObserved_(isObserved),
      include_(captureKey()),
      observers_((isObserved = at::isRecordFunctionEnabled(), false)) {
  currentListener = &listener;
}

ListenScope::~ListenScope() {
  currentListener = outer_;
  isObserved = outerObserved_;
}

TraceScope::TraceScope(OperatorTracer& tracer)
    : outer_(currentTracer), keys_(tracedKeys()), observers_(false) {
  currentTracer = &tracer;
}

TraceScope::~TraceScope() { currentTracer = outer_; }

QuietScope::QuietScope()
    : exclude_(captureKey()),
      observers_(currentListener ? isObserved : at::isRecordFunctionEnabled()) {}

void callPlainly(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const QuietScope quiet;
  op.callBoxed(&stack);
}

}  // namespace jitscope::compiler
