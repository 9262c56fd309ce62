#include "analyzer/diagnoses/guard_cause.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "analyzer/diagnoses/dispatch_keys.h"

namespace jitscope::analyzer {
namespace {

struct CauseName {
  GuardCause cause;
  std::string_view name;
};

constexpr std::array kCauseNames{
    CauseName{GuardCause::kSize, "size"},
    CauseName{GuardCause::kZeroOne, "zero_one"},
    CauseName{GuardCause::kScalar, "scalar"},
    CauseName{GuardCause::kString, "string"},
    CauseName{GuardCause::kDtype, "dtype"},
    CauseName{GuardCause::kDevice, "device"},
    CauseName{GuardCause::kRank, "rank"},
    CauseName{GuardCause::kStride, "stride"},
    CauseName{GuardCause::kRequiresGrad, "requires_grad"},
    CauseName{GuardCause::kDispatchKeys, "dispatch_keys"},
    CauseName{GuardCause::kGradMode, "grad_mode"},
    CauseName{GuardCause::kGlobalState, "global_state"},
    CauseName{GuardCause::kAliasing, "aliasing"},
    CauseName{GuardCause::kLength, "length"},
    CauseName{GuardCause::kOptional, "optional"},
    CauseName{GuardCause::kModule, "module"},
    CauseName{GuardCause::kParameter, "parameter"},
    CauseName{GuardCause::kParameterShape, "parameter_shape"},
    CauseName{GuardCause::kAttribute, "attribute"},
    CauseName{GuardCause::kGlobal, "global"},
    CauseName{GuardCause::kObject, "object"},
    CauseName{GuardCause::kDictKeys, "dict_keys"},
    CauseName{GuardCause::kDuckShape, "duck_shape"},
    CauseName{GuardCause::kConstraint, "constraint"},
    CauseName{GuardCause::kMarkedLate, "marked_late"},
    CauseName{GuardCause::kOptimizer, "optimizer_state"},
    CauseName{GuardCause::kDispatchMode, "dispatch_mode"},
    CauseName{GuardCause::kModuleVersion, "module_version"},
    CauseName{GuardCause::kDeallocated, "deallocated"},
    CauseName{GuardCause::kNondeterministic, "nondeterministic"},
    CauseName{GuardCause::kGuarded, "guarded"},
    CauseName{GuardCause::kType, "type"},
    CauseName{GuardCause::kDivergence, "divergence"},
    CauseName{GuardCause::kUnknown, "unknown"},
};

/// Words of guard failures and what they mean. The first that occurs decides, so that the special
/// stands before the general.
struct CauseWords {
  std::string_view words;
  GuardCause cause;
};

constexpr std::array kCauseWords{
    CauseWords{"KeyError on ", GuardCause::kDictKeys},
    CauseWords{"IndexError on ", GuardCause::kLength},
    CauseWords{"stream diverged", GuardCause::kDivergence},
    CauseWords{"Unexpected recompilation", GuardCause::kNondeterministic},
    CauseWords{"got deallocated", GuardCause::kDeallocated},
    CauseWords{"nn_module_guard", GuardCause::kModuleVersion},
    CauseWords{"Guard failed on a parameter", GuardCause::kParameterShape},
    CauseWords{"_dynamic_indices", GuardCause::kMarkedLate},
    CauseWords{"_dynamo_unbacked_indices", GuardCause::kMarkedLate},
    CauseWords{"_dynamo_static_indices", GuardCause::kMarkedLate},
    CauseWords{"hasattr(", GuardCause::kUnknown},
    CauseWords{"CURRENT_DEVICE", GuardCause::kGlobalState},
    CauseWords{"to be a tensor type", GuardCause::kType},
    CauseWords{"param_groups", GuardCause::kOptimizer},
    CauseWords{"mode_stack", GuardCause::kDispatchMode},
    CauseWords{"GLOBAL_STATE", GuardCause::kGlobalState},
    CauseWords{"check_global_state", GuardCause::kGlobalState},
    CauseWords{"requires_grad mismatch", GuardCause::kRequiresGrad},
    CauseWords{"dispatch key set mismatch", GuardCause::kDispatchKeys},
    CauseWords{"device index mismatch", GuardCause::kDevice},
    CauseWords{"device mismatch", GuardCause::kDevice},
    CauseWords{"dtype mismatch", GuardCause::kDtype},
    CauseWords{"rank mismatch", GuardCause::kRank},
    CauseWords{"size mismatch", GuardCause::kSize},
    CauseWords{"stride mismatch", GuardCause::kStride},
    CauseWords{"type=<class 'bool'>", GuardCause::kScalar},
    CauseWords{"type=<class 'NoneType'>", GuardCause::kOptional},
    CauseWords{"check_type_id", GuardCause::kType},
    CauseWords{".training", GuardCause::kModule},
    CauseWords{"_hooks", GuardCause::kModule},
    CauseWords{"_parameters['", GuardCause::kParameter},
    CauseWords{".weight, ", GuardCause::kParameter},
    CauseWords{".bias, ", GuardCause::kParameter},
    CauseWords{"check_obj_id", GuardCause::kObject},
    CauseWords{"Duplicate tensor", GuardCause::kAliasing},
    CauseWords{"dict_contains", GuardCause::kDictKeys},
    CauseWords{"dict_keys", GuardCause::kDictKeys},
    CauseWords{".keys()", GuardCause::kDictKeys},
    CauseWords{"dict.keys(", GuardCause::kDictKeys},
    CauseWords{" is L[", GuardCause::kAliasing},
    CauseWords{" is not L[", GuardCause::kAliasing},
    CauseWords{" is None", GuardCause::kOptional},
    CauseWords{" is not None", GuardCause::kOptional},
    CauseWords{"len(", GuardCause::kLength},
    CauseWords{"alias", GuardCause::kAliasing},
    CauseWords{"overlap", GuardCause::kAliasing},
    CauseWords{".stride()[", GuardCause::kStride},
    CauseWords{".storage_offset()", GuardCause::kStride},
    CauseWords{"2 <= ", GuardCause::kZeroOne},
    CauseWords{".size()[", GuardCause::kSize},
    CauseWords{" == '", GuardCause::kString},
    CauseWords{" == \"", GuardCause::kString},
    CauseWords{" == ", GuardCause::kScalar},
};

/// A source with the parts of modules as a program writes them: `.attn[0].weight` of
/// `._modules['attn']._modules['0']._parameters['weight']`. A part at the start stays.
std::string asWritten(std::string_view source) {
  std::string result;
  while (!source.empty()) {
    size_t mark = std::string_view::npos, length = 0;
    for (const std::string_view part : {"._modules['", "._parameters['", "._buffers['"}) {
      const size_t at = source.find(part);
      if (at >= mark) continue;
      mark = at;
      length = part.size();
    }
    const size_t end = mark == std::string_view::npos ? mark : source.find("']", mark + length);
    if (end == std::string_view::npos) return result.append(source);
    const std::string_view name = source.substr(mark + length, end - mark - length);
    const bool isNumber = name.find_first_not_of("0123456789") == std::string_view::npos;
    result.append(source.substr(0, mark));
    result += isNumber ? '[' + std::string(name) + ']' : '.' + std::string(name);
    source.remove_prefix(end + 2);
  }
  return result;
}

bool isZeroOrOne(std::string_view number) { return number == "0" || number == "1"; }

/// The number behind `mark` in `text`; -1 when there is none.
int64_t numberAfter(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return -1;
  int64_t number = -1;
  const char* const begin = text.data() + at + mark.size();
  std::from_chars(begin, text.data() + text.size(), number);
  return number;
}

/// What stands between `mark` and the next comma or the end.
std::string_view wordsAfter(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + mark.size());
  return rest.substr(0, rest.find_first_of(",\n"));
}

std::string_view trimmed(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// What was expected: up to ", actual ", as a set of keys holds commas.
std::string_view expectedIn(std::string_view text) {
  constexpr std::string_view kExpected = "expected ";
  const size_t at = text.find(kExpected);
  const size_t actual = text.find(", actual ");
  if (at == std::string_view::npos || actual == std::string_view::npos || actual < at)
    return wordsAfter(text, kExpected);
  return text.substr(at + kExpected.size(), actual - at - kExpected.size());
}

/// The name between the first pair of quotes after `tensor `, as in "tensor 'L['x']' size
/// mismatch".
std::string_view tensorName(std::string_view text) {
  constexpr std::string_view kMark = "tensor '";
  const size_t at = text.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + kMark.size());
  return rest.substr(0, rest.find("' "));
}

/// Grad mode, and no other state beside.
bool tellsGradModeOnly(std::string_view text) {
  constexpr std::string_view kMark = "grad_mode";
  const size_t at = text.find(kMark);
  if (at == std::string_view::npos) return false;
  return trimmed(text.substr(at + kMark.size())).empty();
}

/// Causes that a guard's words alone do not tell apart: what is compared, and with what.
GuardCause comparedCause(GuardCause cause, std::string_view text) {
  constexpr std::string_view kSize = ".size()[";
  const bool isValue = cause == GuardCause::kScalar || cause == GuardCause::kString;
  if (cause == GuardCause::kSize && text.find(" == ") != std::string_view::npos &&
      text.find(kSize, text.find(" == ")) != std::string_view::npos &&
      text.find(kSize) < text.find(" == ")) {
    return GuardCause::kDuckShape;
  }
  if (!isValue) return cause;
  const std::string_view source = text.substr(0, text.find(" == "));
  if (source.starts_with("G[") || source.find("__closure__") != std::string_view::npos)
    return GuardCause::kGlobal;
  const size_t member = source.find('.');
  return member == std::string_view::npos ? cause : GuardCause::kAttribute;
}

/// A bound of a dynamic size that is not the one of every dynamic size (2 or more, at most what an
/// integer holds), or arithmetic with the size: user code or an operator asks for it.
bool isConstraint(const GuardStory& story, std::string_view text) {
  if (story.language != Language::kPython || text.starts_with("tensor '")) return false;
  if (isZeroOrOne(story.actual)) return false;
  if (story.cause == GuardCause::kZeroOne) return !story.expected.starts_with("at least");
  if (story.cause != GuardCause::kSize) return false;
  const std::string_view size = text.substr(0, text.find(" == "));
  return size.size() == text.size() || size.find_first_of("%*/+-") != std::string_view::npos;
}

/// `requires_grad=0` says both what was expected and what came: there are two values.
void readRequiresGrad(GuardStory& story) {
  constexpr std::string_view kFlag = "requires_grad=";
  if (story.cause != GuardCause::kRequiresGrad || !story.expected.starts_with(kFlag)) return;
  const std::string value = story.expected.substr(kFlag.size());
  const bool wasWanted = value == "1" || value == "True" || value == "true";
  story.expected = wasWanted ? "True" : "False";
  if (story.actual.empty()) story.actual = wasWanted ? "False" : "True";
}

/// What the words of a guard alone do not tell: what came instead.
void refine(GuardStory& story, std::string_view text) {
  readRequiresGrad(story);
  // A size that becomes 0 or 1 gets a graph of its own whatever else is dynamic.
  if (story.cause == GuardCause::kSize && isZeroOrOne(story.actual))
    story.cause = GuardCause::kZeroOne;
  if (isConstraint(story, text)) story.cause = GuardCause::kConstraint;
  if (story.cause != GuardCause::kDispatchKeys) return;
  const std::string from = deviceOfKeys(story.expected), to = deviceOfKeys(story.actual);
  if (from.empty() || to.empty() || from == to) return;
  story.cause = GuardCause::kDevice;
  story.expected = from;
  story.actual = to;
}

}  // namespace

std::string_view name(GuardCause cause) {
  for (const CauseName& each : kCauseNames) {
    if (each.cause == cause) return each.name;
  }
  return "unknown";
}

GuardCause guardCause(std::string_view told, std::string_view text) {
  // Grad mode is part of the global state; it has a fix of its own.
  if (told == "global_state" && tellsGradModeOnly(text)) return GuardCause::kGradMode;
  for (const CauseName& each : kCauseNames) {
    if (each.name == told && each.cause != GuardCause::kUnknown) return each.cause;
  }
  if (tellsGradModeOnly(text)) return GuardCause::kGradMode;
  for (const CauseWords& each : kCauseWords) {
    if (text.find(each.words) != std::string_view::npos) return comparedCause(each.cause, text);
  }
  // What an empty list or dictionary is guarded by.
  return text.starts_with("not L[") ? GuardCause::kLength : GuardCause::kUnknown;
}

GuardStory guardStory(const Run& run, const GuardFailure& failure) {
  const std::string_view text = run.text(failure.text);
  GuardStory story;
  story.text = text;
  story.cause = guardCause(run.text(failure.cause), text);
  story.language = languageOf(run, failure.process, failure.frameIndex);
  story.source = run.text(failure.source);
  if (story.source.empty()) story.source = tensorName(text);
  if (story.source.empty()) story.source = trimmed(wordsAfter(text, "GLOBAL_STATE changed: "));
  story.expected = run.text(failure.expected);
  if (story.expected.empty()) story.expected = expectedIn(text);
  story.actual = run.text(failure.actual);
  if (story.actual.empty()) story.actual = wordsAfter(text, "actual ");
  story.dimension = numberAfter(text, "at index ");
  if (story.dimension < 0) story.dimension = numberAfter(story.source, ".size()[");
  if (story.dimension < 0) story.dimension = numberAfter(text, ".size()[");
  refine(story, text);
  return story;
}

std::string variableOf(std::string_view wholeSource) {
  std::string source = asWritten(wholeSource);
  const size_t open = source.find("['");
  if (open == std::string::npos) return source.substr(0, source.find(".size()"));
  const size_t close = source.find("']", open);
  if (close == std::string::npos) return source;
  const std::string rest = source.substr(close + 2);
  return source.substr(open + 2, close - open - 2) + rest.substr(0, rest.find(".size()"));
}

}  // namespace jitscope::analyzer
