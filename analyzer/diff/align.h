#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// Positions of texts that mean the same in two lists; one of them may be none.
struct Aligned {
  std::optional<size_t> before, after;
};

/// Pairs each text of `after` with one of `before`: equal ones first; then those that differ only
/// in a line number (code has moved) or in a number at the end (the compiler counted otherwise),
/// where only one on each side fits. What finds no partner stands alone, `after` before `before`.
std::vector<Aligned> align(const std::vector<std::string>& before,
                           const std::vector<std::string>& after);

/// `text` without what changes when code moves: `step.cpp:12` is `step.cpp`, `fused_add_3` is
/// `fused_add`.
std::string withoutNumbers(std::string_view text);

}  // namespace jitscope::analyzer
