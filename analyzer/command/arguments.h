#pragma once

#include <functional>
#include <optional>
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

/// An option whose value, which must not be empty, goes to `target`. `target` must outlive it.
Option textOption(std::string_view name, std::string& target);

/// An option without a value, which sets `target`. `target` must outlive it.
Option switchOption(std::string_view name, std::string_view otherName, bool& target);

/// An option whose value is a count of at least 1. `target` must outlive it.
Option countOption(std::string_view name, size_t& target);

/// An option whose value is a count, 0 included. `target` must outlive it.
Option countOrZeroOption(std::string_view name, std::optional<size_t>& target);

/// Takes the one PATH of a command; an error for a second or an empty one.
trace::Result<void> takeOnlyPath(std::string& target, const std::string& path);

/// The error of a command whose one PATH was not given.
trace::Result<void> needPath(const std::string& path);

/// Reads the words of a command line: options go to their `take`, all others to `takePath`; after
/// "--" no word is an option. Stops at the first error; an unknown option is answered with the
/// nearest known one.
trace::Result<void> readArguments(
    std::span<const std::string> words, std::span<const Option> options,
    const std::function<trace::Result<void>(const std::string& path)>& takePath);

}  // namespace jitscope::analyzer
