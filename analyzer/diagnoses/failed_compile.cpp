#include "analyzer/diagnoses/failed_compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>

#include "analyzer/diagnoses/break_story.h"
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
  const Break* broken = nullptr;  ///< the graph break that was not allowed, where it is told
  Cost cost;
  std::vector<Occurrence> occurrences;
};

FailureClass classOf(const Run& run, const Compile& compile, const Break* broken) {
  const std::string_view text = run.text(compile.failure);
  if (broken != nullptr) return FailureClass::kFullgraph;
  if (text.starts_with("Constraints violated")) return FailureClass::kConstraint;
  const bool isBreak =
      run.frames[compile.frameIndex].isFullgraph && text.find(kPlaceMark) != text.npos;
  return isBreak ? FailureClass::kFullgraph : FailureClass::kOther;
}

/// What an exception says in short; behind it come explanations and stacks.
std::string firstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// The same with the line below where the first only announces it ("backend='x' raised:").
std::string announced(std::string_view text) {
  std::string line = firstLine(text);
  if (line.size() == text.size() || !line.ends_with(':')) return line;
  return line + " " + firstLine(text.substr(line.size() + 1));
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
  if (group.broken != nullptr)
    place = userPlace(run.text(group.broken->stack));
  else if (group.failure == FailureClass::kFullgraph)
    place = placeInText(run.text(compile.failure));
  if (place.file.empty()) place = userPlace(run.text(compile.stack));
  return place.file.empty() ? framePlace(run, compile.frameIndex) : place;
}

/// Words of a failure and what helps. The first that occurs decides.
struct FailureWords {
  std::string_view words, fix;
};

constexpr std::array kPythonFailures{
    FailureWords{"CppCompileError",
                 "the C++ compiler (gcc, g++) that Inductor calls failed: its output stands below "
                 "the exception; install or update it, or name another in CXX"},
    FailureWords{"TritonMissing",
                 "install a triton that fits this torch, or torch.compile(backend=\"aot_eager\")"},
    FailureWords{"working triton",
                 "install a triton that fits this torch, or torch.compile(backend=\"aot_eager\")"},
    FailureWords{"unning with fake tensors",
                 "give the operator an implementation for fake tensors: "
                 "torch.library.register_fake(\"namespace::name\")"},
    FailureWords{"UnsupportedOperator",
                 "give the operator an implementation for fake tensors: "
                 "torch.library.register_fake(\"namespace::name\")"},
    FailureWords{"OutOfMemory",
                 "the device's memory ran out while kernels were tried: compile before the rest of "
                 "the memory is taken, or mode=\"default\" instead of max-autotune"},
    FailureWords{
        "InternalTorchDynamoError",
        "an error in the compiler itself: report it with TORCHDYNAMO_VERBOSE=1; until then "
        "torch.compiler.disable the function that it names"},
    FailureWords{"TorchRuntimeError",
                 "an operator rejects its arguments, as it would eagerly: mend the call that the "
                 "exception names (shapes, dtypes, devices)"},
    FailureWords{
        "BackendCompilerFailed",
        "the capture went well, the backend failed: what it raised stands behind its name. "
        "torch.compile(backend=\"aot_eager\") tells whether it is the autograd part or the "
        "code generation; TORCHDYNAMO_VERBOSE=1 prints the user's code with the error"},
    FailureWords{"",
                 "torch.compile(backend=\"eager\"), then backend=\"aot_eager\" tell which part "
                 "fails: with \"eager\" it is the capture or the function itself, with "
                 "\"aot_eager\" the autograd part, with neither the backend; "
                 "TORCHDYNAMO_VERBOSE=1 prints the user's code with the error"},
};

std::string pythonFixOf(std::string_view text) {
  for (const FailureWords& each : kPythonFailures) {
    if (text.find(each.words) != text.npos) return std::string(each.fix);
  }
  return {};
}

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

/// Of a failure that a graph break is: what the break is and how to be rid of it.
Advice adviceOfBreak(const Run& run, const FailureGroup& group) {
  const std::string who = frameName(run, group.first->frameIndex);
  const BreakStory story = breakStory(run, *group.broken);
  Advice advice;
  advice.title = fmt::format(
      "failed compilation: a graph break that fullgraph=True does not allow: {}", story.title);
  advice.cause = fmt::format(
      "compiling {} threw torch._dynamo.exc.Unsupported, which ends the call: {}{} cannot be part "
      "of the one graph that fullgraph=True (or error_on_graph_break, or export) asks for: {}",
      who, story.op.empty() ? "user code" : story.op, story.inside, story.reason);
  advice.fix = story.fix +
               "; or compile without fullgraph=True: then it is a graph break, and the "
               "pieces around it are compiled";
  // What a trace calls unsupported could also have made the compiler skip the function.
  const bool isThrown = run.text(group.first->failure).starts_with("torch._dynamo.exc.");
  advice.certainty = isThrown ? Certainty::kCertain : Certainty::kLikely;
  return advice;
}

Advice adviceOf(const Run& run, const FailureGroup& group) {
  if (group.broken != nullptr) return adviceOfBreak(run, group);
  const std::string who = frameName(run, group.first->frameIndex);
  const std::string_view text = run.text(group.first->failure);
  const std::string what = announced(text);
  Advice advice;
  advice.title = fmt::format("failed compilation: {}: {}", who, what);
  advice.cause = fmt::format(
      "compiling {} threw, so the call failed and what was captured is of no use: {}", who, what);
  const Language language = languageOf(run, group.first->process, group.first->frameIndex);
  advice.fix = language == Language::kPython ? pythonFixOf(text) : fixOf(group.failure);
  advice.certainty = Certainty::kCertain;
  return advice;
}

std::string idOf(const Run& run, const FailureGroup& group) {
  if (group.broken != nullptr) {
    const BreakStory story = breakStory(run, *group.broken);
    return fmt::format("failed_compile/fullgraph/{}/{}", name(story.breakClass),
                       shortText(placeOf(run, group)));
  }
  return fmt::format("failed_compile/{}/{}/{}", name(group.failure),
                     withoutNumbers(firstLine(run.text(group.first->failure))),
                     frameKey(run, group.first->frameIndex));
}

std::map<std::string, FailureGroup> groupFailures(const Run& run) {
  const FatalBreaks breaks(run);
  std::map<std::string, FailureGroup> groups;
  for (const Compile& compile : run.compiles) {
    if (run.text(compile.failure).empty() || breaks.isSkip(compile)) continue;
    FailureGroup first;
    first.first = &compile;
    first.broken = breaks.of(compile);
    first.failure = classOf(run, compile, first.broken);
    FailureGroup& group = groups.try_emplace(idOf(run, first), first).first->second;
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
