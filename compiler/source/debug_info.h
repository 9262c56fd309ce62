#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// What the debug information of the process's modules says about addresses. Uses libdw if this
/// machine has it; without it every answer is empty. Not safe from several threads at once.
class DebugInfo {
 public:
  DebugInfo();
  ~DebugInfo();
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;

  /// A function with the place in it.
  struct Function {
    SourceLine source;        ///< the file as an absolute path where that is known
    std::string writtenFile;  ///< the file as it was given to the compiler
  };

  /// The functions at `address`, innermost (inlined) first; empty without debug information.
  std::vector<Function> functionsAt(uintptr_t address);

  /// Where the function at `address` is declared; an empty file without debug information.
  SourceLine declarationAt(uintptr_t address);

  /// The linker's name of what stands at `address`, also for names that are not exported.
  std::string symbolAt(uintptr_t address);

 private:
  struct Session;
  Session* session_ = nullptr;
};

}  // namespace jitscope::compiler
