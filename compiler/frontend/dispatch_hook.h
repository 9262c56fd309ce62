#pragma once

#include <ATen/core/stack.h>
#include <ATen/record_function.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace c10 {
class OperatorHandle;
}

/// \file
/// Where jitscope enters LibTorch's dispatcher: a boxed fallback on a functionality key that nobody
/// else uses. The key is above autograd and composite operators, so operators arrive as the user
/// wrote them. It is active only on threads that include it.
namespace jitscope::compiler {

/// Gets the operators of one thread.
class OperatorListener {
 public:
  virtual ~OperatorListener() = default;

  /// Serves an operator if that takes no operator to run and no memory of a tensor to read, as most
  /// do in replay: to shield those from listener and observers costs more than all the rest. Leaves
  /// on the stack what the operator returns. False, with nothing changed, when it takes more.
  virtual bool serveSimply(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;

  /// Must leave on the stack what the operator returns. The capture key is excluded meanwhile.
  virtual void onOperator(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;
};

/// Gets the operators of one thread on each level of the dispatcher on which they are called: as
/// they are called, then those that their composite and autograd kernels call, and last, once for
/// each functional operator that LibTorch's functionalization makes of them.
class OperatorTracer {
 public:
  virtual ~OperatorTracer() = default;

  /// Must leave on the stack what the operator returns. The capture key stays included: to go on to
  /// the next level, call `op.redispatchBoxed` with those of `keys` that are below it.
  virtual void onDispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                          torch::jit::Stack& stack) = 0;
};

/// The key that the fallback is registered on. The first call in a process registers it; throws
/// c10::Error naming the keys when other libraries own all candidates.
c10::DispatchKey captureKey();

/// While one lives, the calling thread's operators go to `listener`. Observers of LibTorch's
/// operators (RecordFunction) do not see them: they see what runs, inside of QuietScope, and not
/// the operators that user code issues, which may have run long before as part of a compiled graph.
class ListenScope {
 public:
  explicit ListenScope(OperatorListener& listener);
  ~ListenScope();
  ListenScope(const ListenScope&) = delete;
  ListenScope& operator=(const ListenScope&) = delete;

 private:
  OperatorListener* outer_;
  bool outerObserved_;
  c10::impl::IncludeDispatchKeyGuard include_;
  at::RecordFunctionGuard observers_;
};

/// While one lives, the calling thread's operators go to `tracer` alone, and its functional tensors
/// are functionalized. Unseen by observers, whose operators are those of the program.
class TraceScope {
 public:
  explicit TraceScope(OperatorTracer& tracer);
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  OperatorTracer* outer_;
  c10::impl::ForceDispatchKeyGuard keys_;
  at::RecordFunctionGuard observers_;
};

/// While one lives, the calling thread's operators go past every listener, to observers if there
/// are.
class QuietScope {
 public:
  QuietScope();

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
  at::RecordFunctionGuard observers_;
};

/// Runs the operator without listener: pops its arguments, pushes its results.
void callPlainly(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace jitscope::compiler
