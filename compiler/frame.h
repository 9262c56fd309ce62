#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/arguments.h"
#include "compiler/graph.h"
#include "compiler/options.h"

/// \file
/// The untyped core of a compiled function. Users meet it only through jitscope::compile.
namespace jitscope::compiler {

/// What one module holds itself, read anew at each call. Pointers are valid while it is not
/// changed.
struct ModuleReading {
  bool isTraining = false;
  c10::SmallVector<const at::Tensor*, 8> parameters;
  std::vector<at::Tensor> buffers;
  std::vector<std::shared_ptr<const void>> children;
  /// Only when names are asked for: of parameters, buffers and children, in this order.
  std::vector<std::string> names;
};

/// A module as the core sees it, free of the module's type.
struct ModuleHandle {
  std::shared_ptr<const void> module;
  void (*read)(const void* module, bool withNames, ModuleReading& reading) = nullptr;
};

/// What a frame is about.
struct FrameDescription {
  std::string name;            ///< "" for a function pointer: its symbol's name
  const void* code = nullptr;  ///< address of the function, for its place; null: use `callSite`
  SourceLine callSite;         ///< where compile was called
  bool isStateless = false;    ///< the callable holds no state
  ModuleHandle module;         ///< set when the callable is a module
  CompileOptions options;
};

/// How the core comes back into the typed world.
class TypedCall {
 public:
  virtual ~TypedCall() = default;

  /// Appends the sources of the arguments' leaves, in the order of the leaves.
  virtual void nameArguments(std::vector<std::string>& names) const = 0;

  /// Runs user code, once. `replaced` holds the arguments' tensors to use instead of the caller's,
  /// or is empty. Appends the leaves of the result, valid as long as the call lives.
  virtual void runUserCode(c10::ArrayRef<at::Tensor> replaced, Leaves& result) = 0;

  /// Puts the result together from leaves and tensors, in place of what user code gave.
  virtual void buildResult(c10::ArrayRef<Leaf> leaves, c10::ArrayRef<at::Tensor> tensors) = 0;
};

/// A graph break that an entry knows.
struct BreakView {
  std::string reason, explanation, hint, op;
  std::vector<SourceLine> stack;  ///< innermost first
};

/// One compilation as a user may look at it.
struct EntryView {
  std::string compileId;
  bool isDynamic = false;
  std::vector<std::string> guards;  ///< as text, in the order in which they are checked
  std::vector<Graph> graphs;        ///< of the segments that hold operators
  std::vector<BreakView> breaks;
  std::vector<std::string> plainReasons;  ///< of segments that later calls run without their graph
  double compileSeconds = 0;
};

/// A recompile, and for each entry that there was the first guard that failed:
/// "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6".
struct RecompileView {
  std::string compileId;
  std::vector<std::string> failures;  ///< the entry that was used last comes first
};

/// Counts of one frame since its creation or reset.
struct FrameCounts {
  int64_t calls = 0;
  int64_t hits = 0;        ///< calls that an entry served
  int64_t compiles = 0;    ///< calls that compiled an entry
  int64_t eager = 0;       ///< calls that ran eagerly: by stance, or at the recompile limit
  int64_t recompiles = 0;  ///< those of `compiles` that found entries whose guards failed
};

struct FrameState;

/// A compiled callable: its entries, guards and limits. Safe to call from several threads at once.
class Frame {
 public:
  /// Throws std::invalid_argument for an unknown backend or mode.
  explicit Frame(FrameDescription description);
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  /// Serves one call. `signature` stands for the C++ types of arguments and result.
  void call(const Leaves& arguments, const void* signature, TypedCall& typed);

  /// Forgets all entries, counts and what was learned about sizes.
  void reset();

  /// The entries that are kept, the one that was used last first.
  std::vector<EntryView> entries() const;

  /// Calls and how they were served.
  FrameCounts counts() const;

  /// Why the last recompiles happened, oldest first; the last 64 are kept.
  std::vector<RecompileView> recompiles() const;

  /// The name of the function in logs and reports.
  const std::string& name() const;

 private:
  std::unique_ptr<FrameState> state_;
};

}  // namespace jitscope::compiler
