#include "analyzer/diagnoses/failed_compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kPlaceMark = "\n  at ";

enum class FailureClass { kFullgraph, kConstraint, kOther };

std::string_view name(FailureClass failure) {
  switch (failure) {
    case FailureClass::kFullgraph:
      return "fullgraph";
    case FailureClass::kConstraint:
      return "constraint";
    case FailureClass::kOther:
      break;
  }
  return "exception";
}

/// Failed compilations of one callable for one reason.
struct FailureGroup {
  FailureClass failure = FailureClass::kOther;
  const Compile* first = nullptr;
  Cost cost;
  std::vector<Occurrence> occurrences;
};

FailureClass classOf(const Run& run, const Compile& compile) {
  const std::string_view text = run.text(compile.failure);
  if (text.starts_with("Constraints violated")) return FailureClass::kConstraint;
  const bool isBreak =
      run.frames[compile.frameIndex].isFullgraph && text.find(kPlaceMark) != text.npos;
  return isBreak ? FailureClass::kFullgraph : FailureClass::kOther;
}

/// What an exception says in short; behind it come explanations and stacks.
std::string firstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// The same for the same reason: the numbers in a text (sizes, addresses) differ from call to call.
std::string withoutNumbers(std::string text) {
  std::erase_if(text, [](unsigned char letter) { return std::isdigit(letter); });
  return text;
}

/// Where a graph break that was not allowed is; its error ends with the place.
Place placeInText(std::string_view text) {
  const size_t mark = text.rfind(kPlaceMark);
  return mark == text.npos ? Place{} : parseStackLine(text.substr(mark + kPlaceMark.size()));
}

Place placeOf(const Run& run, const FailureGroup& group) {
  const Compile& compile = *group.first;
  Place place;
  if (group.failure == FailureClass::kFullgraph) place = placeInText(run.text(compile.failure));
  if (place.file.empty()) place = userPlace(run.text(compile.stack));
  return place.file.empty() ? framePlace(run, compile.frameIndex) : place;
}

constexpr std::string_view kPythonFix =
    "torch.compile(backend=\"eager\"), then backend=\"aot_eager\" tell which part fails: with "
    "\"eager\" it is the capture or the function itself, with \"aot_eager\" the autograd part, "
    "with "
    "neither the backend; TORCHDYNAMO_VERBOSE=1 prints the user's code with the error";

std::string fixOf(FailureClass failure) {
  switch (failure) {
    case FailureClass::kFullgraph:
      return "remove the graph break, or compile without CompileOptions::fullgraph: then the "
             "pieces around it are compiled, and its cost is reported";
    case FailureClass::kConstraint:
      return "keep the code independent of the size that was marked dynamic (-1 in view and "
             "reshape, expand_as, *_like operators), or use maybeMarkDynamic, which allows a "
             "constant";
    case FailureClass::kOther:
      break;
  }
  return "if the text is the function's own, mend the function: it throws when it is called "
         "eagerly too (Stance::kForceEager shows it); else "
         "JITSCOPE_LOGS=\"graph_breaks,graph_code\" "
         "prints how far the compilation came";
}

Advice adviceOf(const Run& run, const FailureGroup& group) {
  const std::string who = frameName(run, group.first->frameIndex);
  const std::string what = firstLine(run.text(group.first->failure));
  Advice advice;
  advice.title = fmt::format("failed compilation: {}: {}", who, what);
  advice.cause = fmt::format(
      "compiling {} threw, so the call failed and what was captured is of no use: {}", who, what);
  const Language language = languageOf(run, group.first->process, group.first->frameIndex);
  advice.fix = language == Language::kPython ? std::string(kPythonFix) : fixOf(group.failure);
  advice.certainty = Certainty::kCertain;
  return advice;
}

std::map<std::string, FailureGroup> groupFailures(const Run& run) {
  std::map<std::string, FailureGroup> groups;
  for (const Compile& compile : run.compiles) {
    const std::string_view text = run.text(compile.failure);
    if (text.empty()) continue;
    const FailureClass failure = classOf(run, compile);
    const std::string id =
        fmt::format("failed_compile/{}/{}/{}", name(failure), withoutNumbers(firstLine(text)),
                    frameKey(run, compile.frameIndex));
    FailureGroup& group = groups[id];
    if (group.first == nullptr) group.first = &compile;
    group.failure = failure;
    group.cost.timeNs += compile.costNs();
    group.occurrences.push_back(
        {compile.process, compile.frameIndex, compile.thread, compile.startNs, compile.endNs});
  }
  return groups;
}

}  // namespace

std::vector<Finding> findFailedCompiles(const Subject& subject) {
  const Run& run = subject.run;
  std::vector<Finding> findings;
  for (auto& [id, group] : groupFailures(run)) {
    Finding finding;
    finding.kind = FindingKind::kFailedCompile;
    finding.causeClass = name(group.failure);
    finding.id = id;
    finding.advice = adviceOf(run, group);
    finding.place = placeOf(run, group);
    finding.cost = group.cost;
    setOccurrences(finding, "failures", std::move(group.occurrences));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
