#include "analyzer/command/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

trace::Error unknownOption(std::string_view word, std::span<const Option> options) {
  std::vector<std::string_view> known;
  for (const Option& option : options) {
    known.push_back(option.name);
    if (!option.otherName.empty()) known.push_back(option.otherName);
  }
  return trace::unknownWord("option", word, known);
}

std::optional<size_t> parseCount(const std::string& text) {
  size_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, count);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return count;
}

}  // namespace

Option textOption(std::string_view name, std::string& target) {
  return {name, "", true, [name, &target](const std::string& value) -> trace::Result<void> {
            if (value.empty()) return trace::Error{fmt::format("{} needs a value", name)};
            target = value;
            return {};
          }};
}

Option switchOption(std::string_view name, std::string_view otherName, bool& target) {
  return {name, otherName, false, [&target](const std::string&) {
            target = true;
            return trace::Result<void>();
          }};
}

Option countOption(std::string_view name, size_t& target) {
  return {
      name, "", true, [name, &target](const std::string& value) -> trace::Result<void> {
        const std::optional<size_t> count = parseCount(value);
        if (!count || *count == 0)
          return trace::Error{fmt::format("{} takes a number from 1 on, not '{}'", name, value)};
        target = *count;
        return {};
      }};
}

Option countOrZeroOption(std::string_view name, std::optional<size_t>& target) {
  return {name, "", true, [name, &target](const std::string& value) -> trace::Result<void> {
            target = parseCount(value);
            if (target) return {};
            return trace::Error{fmt::format("{} takes a number from 0 on, not '{}'", name, value)};
          }};
}

trace::Result<void> takeOnlyPath(std::string& target, const std::string& path) {
  if (!target.empty()) {
    return trace::Error{fmt::format(
        "one PATH only, '{}' is one too many (put the files of a run into a folder)", path)};
  }
  if (path.empty()) return trace::Error{"PATH is empty"};
  target = path;
  return {};
}

trace::Result<void> needPath(const std::string& path) {
  if (!path.empty()) return {};
  return trace::Error{"no PATH given, it takes a trace file or a folder"};
}

trace::Result<void> readArguments(
    std::span<const std::string> words, std::span<const Option> options,
    const std::function<trace::Result<void>(const std::string& path)>& takePath) {
  bool onlyPaths = false;
  for (size_t next = 0; next < words.size(); ++next) {
    const std::string_view word = words[next];
    if (onlyPaths || word == "-" || !word.starts_with('-')) {
      if (trace::Result<void> taken = takePath(words[next]); !taken) return taken;
      continue;
    }
    if (word == "--") {
      onlyPaths = true;
      continue;
    }
    const size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    const std::string_view name = word.substr(0, equals);
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& each) {
      return each.name == name || each.otherName == name;
    });
    if (option == options.end()) return unknownOption(name, options);
    std::string value;
    if (equals != std::string_view::npos) {
      if (!option->takesValue) return trace::Error{fmt::format("{} takes no value", name)};
      value = word.substr(equals + 1);
    } else if (option->takesValue) {
      if (next + 1 == words.size()) return trace::Error{fmt::format("{} needs a value", name)};
      value = words[++next];
    }
    if (trace::Result<void> taken = option->take(value); !taken) return taken;
  }
  return {};
}

}  // namespace jitscope::analyzer
