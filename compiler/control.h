#pragma once

#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace jitscope {

/// Ends the graph here when called inside of a compiled function; else does nothing.
void graphBreak(const std::string& message = "");

/// Declares the operator with this qualified name ("my::op") untraceable: graphs break there. For
/// operators that do more than their schema says; all others are captured, and may run a little
/// before user code asks for their result.
void declareUntraceable(const std::string& qualifiedName);

/// Forgets everything that every compiled function of the process has learned, as
/// torch._dynamo.reset. Calls that run at the moment finish with what they have.
void reset();

namespace compiler {

/// Ends the graph and stops capturing until the end of the scope.
class DisabledScope {
 public:
  enum class Reason { kDisabled, kPrint };
  explicit DisabledScope(Reason reason, const std::string& name = "");
  ~DisabledScope();
  DisabledScope(const DisabledScope&) = delete;
  DisabledScope& operator=(const DisabledScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace compiler

/// Prints its arguments to standard output, separated by blanks, and a line end. Inside of a
/// compiled function this is a graph break, as print is for torch.compile, so that it happens in
/// each call.
template <class... Args>
void print(const Args&... args) {
  const compiler::DisabledScope scope(compiler::DisabledScope::Reason::kPrint);
  const char* separator = "";
  ((std::cout << std::exchange(separator, " ") << args), ...);
  std::cout << '\n' << std::flush;
}

/// Wraps a callable so that it always runs eagerly, also when a compiled function calls it: the
/// graph breaks around it.
template <class Fn>
auto disable(Fn fn, std::string name = "disabled callable") {
  return [fn = std::move(fn), name = std::move(name)](auto&&... args) mutable -> decltype(auto) {
    const compiler::DisabledScope scope(compiler::DisabledScope::Reason::kDisabled, name);
    return fn(std::forward<decltype(args)>(args)...);
  };
}

}  // namespace jitscope
