#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/backend.h"

namespace jitscope {

/// A backend by name or as a function.
class BackendChoice {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  BackendChoice(std::string name) : name_(std::move(name)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  BackendChoice(const char* name) : name_(name) {}
  template <std::convertible_to<compiler::Backend> F>
  requires(!std::convertible_to<F, std::string>)
      BackendChoice(F backend)  // NOLINT(google-explicit-constructor)
      : name_("custom"), backend_(std::move(backend)) {}

  const std::string& name() const { return name_; }

  /// The function. Throws std::invalid_argument for a name that is not known.
  compiler::Backend resolve() const { return backend_ ? backend_ : compiler::backendByName(name_); }

 private:
  std::string name_;
  compiler::Backend backend_;
};

/// How a function is compiled, in torch.compile's words.
struct CompileOptions {
  /// "eager": as captured, operator by operator; "aot_eager": functional graphs, operator by
  /// operator; "fused": generated kernels. Or a function.
  BackendChoice backend = "eager";
  bool fullgraph = false;            ///< a graph break throws GraphBreakError
  std::optional<bool> dynamic = {};  ///< unset: static first, a size that changes becomes dynamic
  std::string mode = {};             ///< "" or "default"
  std::string name = {};             ///< in reports and logs; "" takes the function's own name

  /// Names of the arguments in guards, graphs and reports; those without a name are arg0, arg1, …
  std::vector<std::string> argumentNames = {};

  int64_t recompileLimit = 8;               ///< entries kept at once; beyond it misses run eagerly
  int64_t accumulatedRecompileLimit = 256;  ///< compilations over the frame's life
  bool failOnRecompile = false;             ///< a recompile throws RecompileError

  /// The promise that the callable's captured state never changes what it does: user code may then
  /// be skipped as for a callable without state.
  bool assumePure = false;

  /// Sizes of a module's parameters are static and their identity is guarded. When false they are
  /// treated as arguments are.
  bool forceParameterStaticShapes = true;

  /// Where user code runs, gives it stand-ins for its input tensors, on the same memory, which tell
  /// the compiler when user code takes a pointer to it (data_ptr, accessor, storage): that is a
  /// graph break, and reads and writes through the pointer are as without jitscope. Costs about
  /// 0.1 µs per input and call where user code runs. An input that is kept beyond the call is kept
  /// as its stand-in. When false, code that takes such pointers may give wrong results: switch it
  /// off only for code that takes none. See `compile` for what cannot be seen either way.
  bool hookInputs = true;
};

}  // namespace jitscope
