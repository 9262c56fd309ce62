#pragma once

#include <cstdint>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// A function that stands at an address, itself or inlined.
struct CodeLine {
  SourceLine source;
  bool isUserCode = true;  ///< false: LibTorch, jitscope, the C++ library, the C runtime
};

/// The functions at `address`, innermost first; one entry without debug information, none outside
/// of any module. Cached for the life of the process; safe from any thread. The reference stays
/// valid.
const std::vector<CodeLine>& codeLines(uintptr_t address);

/// Where the function that starts at `address` is defined.
SourceLine definitionLine(uintptr_t address);

}  // namespace jitscope::compiler
