#include "analyzer/place.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "analyzer/is_digit.h"

namespace jitscope::analyzer {
namespace {

/// Position of the ':' of the first ":LINE" that ends a word, so that ':' and ' ' may be in file
/// names.
std::optional<size_t> findLineMark(std::string_view line) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    size_t end = colon + 1;
    while (end < line.size() && isDigit(line[end])) ++end;
    if (end > colon + 1 && colon > 0 && (end == line.size() || line[end] == ' ')) return colon;
  }
  return std::nullopt;
}

/// The name of a demangled function without return type, arguments and what follows them.
std::string_view qualifiedName(std::string_view function) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    if (function.substr(i).starts_with(kUnnamed)) {
      i += kUnnamed.size() - 1;
      continue;
    }
    const char c = function[i];
    if (depth == 0 && c == '(') return function.substr(start, i - start);
    if (c == '<' || c == '{' || c == '(') ++depth;
    if (c == '>' || c == '}' || c == ')') --depth;
    if (depth == 0 && c == ' ') start = i + 1;
  }
  return function.substr(start);
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (text.starts_with(prefix)) return true;
  }
  return false;
}

bool containsAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.find(part) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view fileName(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

/// Whether a Python file is part of PyTorch: one in its package, on whichever system.
bool isPythonMachinery(std::string_view file) {
  for (const std::string_view folder : {"_dynamo", "_inductor", "_functorch", "fx", "nn", "optim",
                                        "utils", "_higher_order_ops", "_library", "autograd"}) {
    for (const char slash : {'/', '\\'}) {
      const std::string inTorch = std::string("torch") + slash + std::string(folder) + slash;
      const size_t at = file.find(inTorch);
      if (at != std::string_view::npos && (at == 0 || file[at - 1] == slash)) return true;
    }
  }
  return false;
}

}  // namespace

std::string shortText(const Place& place) {
  if (place.file.empty()) return "unknown place";
  if (place.line == 0) return std::string(fileName(place.file));
  return fmt::format("{}:{}", fileName(place.file), place.line);
}

std::string fullText(const Place& place) {
  if (place.file.empty() || place.line == 0) return place.file;
  return fmt::format("{}:{}", place.file, place.line);
}

Place parseStackLine(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  Place place;
  std::string_view rest;
  if (const std::optional<size_t> colon = findLineMark(line)) {
    const char* const digits = line.data() + *colon + 1;
    const auto [end, error] = std::from_chars(digits, line.data() + line.size(), place.line);
    if (error != std::errc()) place.line = 0;
    place.file = line.substr(0, *colon);
    rest = line.substr(static_cast<size_t>(end - line.data()));
  } else {
    const size_t space = line.find(' ');
    place.file = line.substr(0, space);
    if (space != std::string_view::npos) rest = line.substr(space);
  }
  if (!rest.empty()) place.function = rest.substr(1);
  return place;
}

bool isMachinery(const Place& place) {
  const std::string_view name = qualifiedName(place.function);
  if (startsWithAny(name, {"at::", "c10::", "torch::", "std::", "__gnu_cxx::", "__libc_start"})) {
    return true;
  }
  // Sample programs live in jitscope::samples and are users of the compiler like any other.
  if (name.starts_with("jitscope::") && !name.starts_with("jitscope::samples::")) return true;
  if (place.file.ends_with(".py") && isPythonMachinery(place.file)) return true;
  return containsAny(
      place.file, {"libtorch", "libc10", "libjitscope", "libstdc++", "libc.so", "/torch/include/",
                   "/include/c++/", "/ATen/", "/c10/", "/torch/csrc/"});
}

Place userPlace(std::string_view stack) {
  Place fallback;
  while (!stack.empty()) {
    const size_t end = stack.find('\n');
    const std::string_view line = stack.substr(0, end);
    stack.remove_prefix(end == std::string_view::npos ? stack.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Place place = parseStackLine(line);
    if (!isMachinery(place)) return place;
    if (fallback.line == 0 && (place.line != 0 || fallback.file.empty()))
      fallback = std::move(place);
  }
  return fallback;
}

}  // namespace jitscope::analyzer
