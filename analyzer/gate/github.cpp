#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analyzer/gate/gate_tables.h"
#include "analyzer/gate/outputs.h"

namespace jitscope::analyzer {
namespace {

/// Escapes the message of a workflow command; a property also escapes what ends one.
std::string escaped(std::string_view text, bool isProperty) {
  std::string result;
  for (const char each : printable(text)) {
    const bool isSpecial =
        each == '%' || each == '\r' || each == '\n' || (isProperty && (each == ':' || each == ','));
    if (isSpecial)
      result += fmt::format("%{:02X}", static_cast<unsigned char>(each));
    else
      result += each;
  }
  return result;
}

std::string placeProperties(const Place& place, const std::filesystem::path& sourceRoot) {
  if (!isLineOfFile(place)) return "";
  return fmt::format("file={},line={},", escaped(pathBelow(sourceRoot, place.file), true),
                     place.line);
}

/// A name of a recording that another machine made: one with a drive in front, or with backslashes
/// alone between its folders.
bool isWindowsPath(std::string_view file) {
  const bool hasBackslash = file.find('\\') != std::string_view::npos;
  return hasDrive(file) || (hasBackslash && file.find('/') == std::string_view::npos);
}

}  // namespace

std::string gateGitHub(const GateVerdict& verdict, const std::filesystem::path& sourceRoot) {
  std::string text;
  for (const FindingCheck& check : verdict.findings) {
    if (check.state == FindingState::kAllowed) continue;
    const Advice& advice = check.finding->advice;
    text += fmt::format("::{} {}title={}::{}\n", check.isOver ? "error" : "warning",
                        placeProperties(check.finding->place, sourceRoot),
                        escaped(boundedTitle(*check.finding), true),
                        escaped(boundedText(advice.cause + ". Fix: " + advice.fix), false));
  }
  for (const LimitCheck& check : verdict.limits) {
    if (check.isOver)
      text += fmt::format("::error title=jitscope limit::{}\n", escaped(limitText(check), false));
  }
  return text;
}

bool hasDrive(std::string_view path) {
  return path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 &&
         path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

std::string pathBelow(const std::filesystem::path& root, std::string_view file) {
  if (isWindowsPath(file)) {
    std::string generic(file);
    std::replace(generic.begin(), generic.end(), '\\', '/');
    return generic;
  }
  const std::filesystem::path path(file);
  if (root.empty() || !path.is_absolute()) return path.generic_string();
  const std::filesystem::path relative =
      path.lexically_normal().lexically_relative(root.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return path.generic_string();
  return relative.generic_string();
}

}  // namespace jitscope::analyzer
