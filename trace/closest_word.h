#pragma once

#include <span>
#include <string_view>

#include "trace/result.h"

namespace jitscope::trace {

/// The one of `known` that a person who wrote `word` most likely meant, by the number of letters
/// that are changed, inserted, dropped or swapped; empty when none is close (more than a third of
/// the letters, or `known` is empty).
std::string_view closestWord(std::string_view word, std::span<const std::string_view> known);

/// The answer to a word that is not in `known`: "unknown format 'jsn', did you mean 'json'?", or
/// else the list of those known.
Error unknownWord(std::string_view what, std::string_view word,
                  std::span<const std::string_view> known);

}  // namespace jitscope::trace
