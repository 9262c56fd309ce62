#include "analyzer/import/guard_tree.h"

#include <algorithm>

#include "analyzer/import/python_stack.h"
#include "analyzer/import/recompile_reason.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kBranch = "+- ";
/// Deeper than any program nests; what is deeper counts as so deep.
constexpr size_t kDeepest = 200;

/// How deep a line of the tree stands: the bars before its branch.
size_t depthOf(std::string_view line, size_t branch) {
  size_t bars = 0;
  for (const char c : line.substr(0, branch)) bars += c == '|' ? 1 : 0;
  return bars;
}

/// The source of `GuardManager: source=L['x'], accessed_by=…`; names may hold commas.
std::string_view sourceOf(std::string_view manager) {
  constexpr std::string_view kMark = "source=";
  const size_t at = manager.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = manager.substr(at + kMark.size());
  return rest.substr(0, rest.find(", accessed_by="));
}

bool isKind(std::string_view word) {
  return !word.empty() &&
         word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == std::string_view::npos;
}

LoggedGuard guardOf(std::string_view kind, std::string_view expression) {
  RecompileReason parsed = parseRecompileReason(expression);
  LoggedGuard guard;
  guard.kind = kind;
  guard.expression = std::move(parsed.text);
  guard.stack = std::move(parsed.stack);
  return guard;
}

/// Keeps the sources of the managers around the line that is read.
class TreeReader {
 public:
  void take(std::string_view line) {
    const size_t branch = line.find(kBranch);
    if (branch == std::string_view::npos) return;
    const size_t depth = std::min(depthOf(line, branch), kDeepest);
    const std::string_view words = line.substr(branch + kBranch.size());
    sources_.resize(depth + 1);
    if (depth > 0 && sources_[depth].empty()) sources_[depth] = sources_[depth - 1];
    const size_t colon = words.find(':');
    const std::string_view kind = words.substr(0, colon);
    if (kind.find("Manager") != std::string_view::npos) {
      sources_[depth] = sourceOf(words);
      return;
    }
    sources_[depth] = depth > 0 ? sources_[depth - 1] : std::string();
    if (!isKind(kind)) return;
    const bool hasText = colon != std::string_view::npos;
    LoggedGuard guard = guardOf(kind, hasText ? words.substr(colon + 1) : std::string_view());
    guard.source = sources_[depth];
    guards_.push_back(std::move(guard));
  }

  std::vector<LoggedGuard> take() { return std::move(guards_); }

 private:
  std::vector<std::string> sources_;  ///< by depth
  std::vector<LoggedGuard> guards_;
};

}  // namespace

std::vector<LoggedGuard> parseGuards(std::string_view text) {
  if (text.find("TREE_GUARD_MANAGER") != std::string_view::npos) {
    TreeReader reader;
    forEachLine(text, [&](std::string_view line) { reader.take(line); });
    return reader.take();
  }
  std::vector<LoggedGuard> guards;
  forEachLine(text, [&](std::string_view line) {
    line = trimmedText(line);
    if (line.empty() || line.starts_with("GUARDS")) return;
    RecompileReason parsed = parseRecompileReason(line);
    guards.push_back({parsed.kind, parsed.source, parsed.text, parsed.stack});
  });
  return guards;
}

}  // namespace jitscope::analyzer
