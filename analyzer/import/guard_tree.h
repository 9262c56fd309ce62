#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// A guard as the `guards` log prints it.
struct LoggedGuard {
  std::string kind;        ///< e.g. TENSOR_MATCH
  std::string source;      ///< e.g. L['x']; empty for guards of the whole
  std::string expression;  ///< e.g. check_tensor(L['x'], …)
  std::string stack;       ///< the user's code that made it; may be empty
};

/// Reads the tree of guards (from 2.5 on) or the list of expressions (before) in `text`.
std::vector<LoggedGuard> parseGuards(std::string_view text);

}  // namespace jitscope::analyzer
