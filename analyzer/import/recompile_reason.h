#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/import/compile_id.h"

namespace jitscope::analyzer {

/// A guard that did not hold, as Dynamo says it.
struct RecompileReason {
  TorchCompileId entry;  ///< the entry whose guard it is; not told before 2.5
  std::string text;      ///< the guard without id and source comment
  std::string kind;      ///< of the guard where the text tells it, e.g. TENSOR_MATCH
  std::string source;    ///< e.g. L['x'] or x
  std::string expected, actual;
  std::string stack;  ///< the user's code that made the guard; may be empty

  bool operator==(const RecompileReason&) const = default;
};

/// Reads one reason of any generation, e.g.
/// `0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3` or
/// `L['n'] == 3  # return x * n  # app/step.py:7 in step`.
RecompileReason parseRecompileReason(std::string_view text);

}  // namespace jitscope::analyzer
