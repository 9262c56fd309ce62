#include "analyzer/diagnoses/break_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analyzer/language.h"
#include "analyzer/place.h"

namespace jitscope::analyzer {
namespace {

/// The number of the break in PyTorch's registry, as `GB0124`, from the page that a hint names.
std::string registryNumber(std::string_view hint) {
  constexpr std::string_view kMark = "/gb/gb";
  const size_t at = hint.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view digits = hint.substr(at + kMark.size());
  return " (GB" + std::string(digits.substr(0, digits.find_first_not_of("0123456789"))) + ")";
}

/// Where a break is not in the user's own code, what helps from outside.
struct LibraryCode {
  std::string_view file;  ///< a part of its path
  std::string_view name, fix;
};

constexpr LibraryCode kLibraries[] = {
    {"torch/nn/init.py", "torch.nn.init",
     "initialise outside of the compiled function: what branches on values is the code of "
     "torch.nn.init, not yours"},
    {"torch_scatter/", "torch_scatter",
     "pass dim_size to the scatter function, so that it need not read the largest index; else "
     "torch._dynamo.config.capture_scalar_outputs = True"},
};

/// What always helps.
constexpr std::string_view kWithoutHint =
    "call what breaks before or after the compiled function, or torch.compiler.disable it so that "
    "the split is where you want it";

std::string_view innermostOf(std::string_view stack) { return stack.substr(0, stack.find('\n')); }

const LibraryCode* libraryOf(std::string_view stack) {
  std::string innermost(innermostOf(stack));
  for (char& letter : innermost) letter = letter == '\\' ? '/' : letter;
  for (const LibraryCode& each : kLibraries) {
    if (innermost.find(each.file) != std::string::npos) return &each;
  }
  return nullptr;
}

/// What of a hint a user can do, in one line: its sentences but those for the compiler's
/// developers.
std::string usersHint(std::string_view hint) {
  std::string result;
  while (!hint.empty()) {
    const size_t end = std::min(hint.find('\n'), hint.size());
    std::string_view line = hint.substr(0, end);
    hint.remove_prefix(std::min(end + 1, hint.size()));
    if (line.empty() || line.starts_with("It may be possible to write Dynamo tracing rules") ||
        line.starts_with("Report an issue") || line.starts_with("Please report"))
      continue;
    while (line.ends_with('.')) line.remove_suffix(1);
    const bool isPage = line.starts_with("see ");
    if (isPage && result.empty()) result = kWithoutHint;
    result.append(result.empty() ? "" : "; ").append(line);
  }
  return result;
}

/// Of a break without a class all that is known is what the compiler itself said and advised.
void tellAsTold(BreakStory& story, const Run& run, const Break& row) {
  const std::string_view explanation = run.text(row.explanation);
  if (!explanation.empty()) story.reason.append(": ").append(explanation);
  while (story.reason.ends_with('.')) story.reason.pop_back();
  story.fix = usersHint(run.text(row.hint));
  if (!story.fix.empty()) return;
  story.fix = kWithoutHint;
  if (run.text(row.stack).empty())
    story.fix += "; TORCH_LOGS=\"graph_breaks\" prints it with its stack";
}

bool isFailureOfBreak(const Run& run, const Compile& compile) {
  const std::string_view failure = run.text(compile.failure);
  return failure.starts_with("torch._dynamo.exc.Unsupported") ||
         failure.starts_with("Unsupported: ");
}

}  // namespace

BreakStory breakStory(const Run& run, const Break& row) {
  const std::string_view reason = run.text(row.reason);
  const std::string_view hint = run.text(row.hint);
  BreakStory story;
  story.op = run.text(row.op);
  story.breakClass = breakClass(reason, story.op, run.text(row.explanation));
  const bool isPython = languageOf(run, row.process, row.frameIndex) == Language::kPython;
  story.title = isPython ? pythonBreakTitle(story.breakClass) : breakTitle(story.breakClass);
  story.reason = reason.empty() ? "no reason recorded" : reason;
  story.reason += registryNumber(hint);
  story.fix = isPython ? pythonBreakFix(story.breakClass) : breakFix(story.breakClass);
  const bool hasOwnHint = story.breakClass == BreakClass::kOther && !hint.empty();
  if (hasOwnHint || (isPython && story.fix.empty())) tellAsTold(story, run, row);
  if (const LibraryCode* const library = libraryOf(run.text(row.stack)); library != nullptr) {
    const std::string function = parseStackLine(innermostOf(run.text(row.stack))).function;
    story.inside =
        fmt::format(" inside of {}{}{}", library->name, function.empty() ? "" : ".", function);
    story.fix = library->fix;
  }
  return story;
}

FatalBreaks::FatalBreaks(const Run& run) {
  for (const Compile& compile : run.compiles) {
    if (isFailureOfBreak(run, compile))
      breaks_[{compile.process, compile.frame, compile.attempt}] = nullptr;
  }
  if (breaks_.empty()) return;
  // The last one is the one that was too many.
  for (const Break& row : run.breaks) {
    const auto failed = breaks_.find({row.process, row.frame, row.attempt});
    if (failed == breaks_.end()) continue;
    if (run.text(row.reason).starts_with("skipped frame"))
      skips_.insert(failed->first);
    else
      failed->second = &row;
  }
}

bool FatalBreaks::isSkip(const Compile& compile) const {
  return skips_.contains({compile.process, compile.frame, compile.attempt});
}

const Break* FatalBreaks::of(const Compile& compile) const {
  const auto failed = breaks_.find({compile.process, compile.frame, compile.attempt});
  return failed == breaks_.end() ? nullptr : failed->second;
}

bool FatalBreaks::contains(const Break& row) const {
  const auto failed = breaks_.find({row.process, row.frame, row.attempt});
  return failed != breaks_.end() && failed->second == &row;
}

}  // namespace jitscope::analyzer
