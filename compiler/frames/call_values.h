#pragma once

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/arguments.h"
#include "compiler/frame.h"
#include "compiler/guarded.h"

namespace jitscope::compiler {

using GuardedCells = std::vector<std::shared_ptr<const GuardedCell>>;

/// Everything that one call's guards and graphs look at, as leaves: the arguments, then the
/// module's training flags and tensors, then the guarded values. Refers to the arguments; keeps the
/// rest alive.
class CallValues {
 public:
  explicit CallValues(const Leaves& arguments) : all_(&arguments) {}
  ~CallValues() = default;
  CallValues(const CallValues&) = delete;
  CallValues& operator=(const CallValues&) = delete;

  void addModule(const ModuleHandle& module);
  /// Takes `value`, which was read from `cell`.
  void addCell(const std::shared_ptr<const GuardedCell>& cell, std::shared_ptr<const void> value);
  size_t cellCount() const { return cells_.size(); }
  /// What was taken from `cell`; null when nothing was.
  const void* valueOf(const GuardedCell& cell) const;
  /// Appends the sources of the leaves that came from cells, in their order, from cell `first` on.
  void nameCells(size_t first, std::vector<std::string>& names) const;

  /// Makes the leaves independent of the caller's arguments, which user code may move from or
  /// assign.
  void keep();

  const Leaves& leaves() const { return *all_; }

 private:
  struct CellValue {
    std::shared_ptr<const GuardedCell> cell;
    std::shared_ptr<const void> value;
  };

  Leaves& own();
  void addModuleTree(const ModuleHandle& module);

  const Leaves* all_;
  Leaves own_;
  // Lists, because an empty one allocates nothing, as a deque does, and most calls need none.
  std::list<ModuleReading> readings_;
  std::vector<CellValue> cells_;
  std::list<at::Tensor> keptTensors_;
  std::list<std::string> keptTexts_;
};

/// The source of a compiled module; the sources of all that it holds begin with it.
inline constexpr std::string_view kModuleSource = "L['self']";

/// The sources of the leaves that `CallValues::addModule` gives, in its order.
void nameModule(const ModuleHandle& module, std::vector<std::string>& names);

}  // namespace jitscope::compiler
