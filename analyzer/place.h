#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// A place in the user's code.
struct Place {
  std::string file;  ///< or "module+offset" where there is no debug information; empty: not known
  int64_t line = 0;  ///< 0 when not known
  std::string function;  ///< may be empty

  bool operator==(const Place&) const = default;
};

/// `file:line`, shortened to the file's name; "unknown place" when there is none.
std::string shortText(const Place& place);

/// `file:line` in full; empty when there is none.
std::string fullText(const Place& place);

/// Reads one line of a recorded stack: `file:line function`, or `module+offset function`.
Place parseStackLine(std::string_view line);

/// Whether a frame of a stack belongs to the machinery (LibTorch, the compiler, the C++ library)
/// rather than to the user.
bool isMachinery(const Place& place);

/// The innermost place of a stack (one line per frame, innermost first) that is the user's own;
/// when all is machinery, the innermost one that has a line.
Place userPlace(std::string_view stack);

}  // namespace jitscope::analyzer
