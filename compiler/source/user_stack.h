#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// Return addresses of the user's code, innermost first. Taking one costs about a microsecond and
/// allocates nothing; turning it into lines is done later and only when somebody reads it.
struct UserStack {
  static constexpr size_t kMaxDepth = 32;
  std::array<uintptr_t, kMaxDepth> addresses{};
  uint32_t depth = 0;

  /// The calling thread's stack.
  static UserStack here();

  bool isEmpty() const { return depth == 0; }
};

/// The lines of a stack, innermost first: frames of LibTorch, jitscope and the C++ library left
/// out, inlined functions expanded. Where a module has no debug information: `module+0xoffset` as
/// file, line 0. Cached; safe from any thread.
std::vector<SourceLine> symbolize(const UserStack& stack);

/// The innermost line of the user's own code; an empty file when there is none.
SourceLine userLine(const UserStack& stack);

/// One line per frame, innermost first: `file:line function` (the form of trace stacks).
std::string stackText(const UserStack& stack);

/// Where the code at `address` (a function's entry) is defined.
SourceLine functionLine(const void* address);

}  // namespace jitscope::compiler
