#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "trace/result.h"

namespace jitscope::analyzer {

/// An option of a command: `--name VALUE` or `--name=VALUE`, or without a value `--name`.
struct Option {
  std::string_view name;       ///< with its dashes
  std::string_view otherName;  ///< another spelling, e.g. "-o"; may be empty
  bool takesValue = true;
  std::function<trace::Result<void>(const std::string& value)> take;
};

/// Reads the words of a command line: options go to their `take`, all others to `takePath`; after
/// "--" no word is an option. Stops at the first error; an unknown option is answered with the
/// nearest known one.
trace::Result<void> readArguments(
    std::span<const std::string> words, std::span<const Option> options,
    const std::function<trace::Result<void>(const std::string& path)>& takePath);

}  // namespace jitscope::analyzer
