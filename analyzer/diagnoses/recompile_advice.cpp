#include <fmt/format.h>

#include <algorithm>

#include "analyzer/diagnoses/recompile_wording.h"

namespace jitscope::analyzer {
namespace {

/// "from 4 to 8", or what is known of it.
std::string change(const GuardStory& story) {
  if (story.expected.empty() && story.actual.empty()) return "changed";
  if (story.actual.empty() && story.expected.starts_with("at "))
    return fmt::format("is not {} any more", story.expected);
  if (story.actual.empty()) return fmt::format("is no longer {}", story.expected);
  if (story.expected.empty()) return fmt::format("became {}", story.actual);
  // A bound of a dynamic size: "at least 2", "at most 64".
  if (story.expected.starts_with("at ")) {
    return fmt::format("is {}, not {}", story.actual, story.expected);
  }
  return fmt::format("changed from {} to {}", story.expected, story.actual);
}

/// The same for a parameter. In C++ both sides of its identity say no more than "the same tensor".
std::string parameterChange(const GuardStory& story) {
  const bool isIdentity = story.expected.empty() || story.expected == "the same tensor";
  return isIdentity ? "is another one" : change(story);
}

}  // namespace

bool namesGuard(const GuardStory& story) {
  return story.text.find_first_of("[(=<>'") != std::string::npos;
}

std::string guardedVariable(const GuardStory& story) {
  return story.source.empty() ? std::string("the input") : variableOf(story.source);
}

std::string whatChanged(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  const auto named = [&](std::string_view what) {
    return fmt::format("{} of {} {}", what, x, change(story));
  };
  switch (story.cause) {
    case GuardCause::kSize:
    case GuardCause::kZeroOne:
      return story.dimension < 0 ? named("a size") : named(fmt::format("size {}", story.dimension));
    case GuardCause::kStride:
      return story.dimension < 0 ? named("a stride")
                                 : named(fmt::format("stride {}", story.dimension));
    case GuardCause::kDtype:
      return named("dtype");
    case GuardCause::kDevice:
      return named("device");
    case GuardCause::kRank:
      return named("rank");
    case GuardCause::kRequiresGrad:
      return named("requires_grad");
    case GuardCause::kDispatchKeys:
      return "the kind (dispatch keys) of " + x + " changed";
    case GuardCause::kType:
      return named("type");
    case GuardCause::kLength:
      return named("length");
    case GuardCause::kGradMode:
      return "grad mode changed";
    case GuardCause::kGlobalState:
      return story.source.empty() ? "global state changed" : story.source + " changed";
    case GuardCause::kAliasing:
      return story.language == Language::kPython && story.actual.empty()
                 ? "which arguments are the same tensor changed"
                 : "which arguments share memory " + change(story);
    case GuardCause::kModule:
      return story.language == Language::kPython && !story.source.empty()
                 ? fmt::format("{} {}", x, change(story))
                 : named("module state");
    case GuardCause::kParameter:
      return fmt::format("parameter {} {}", x, parameterChange(story));
    case GuardCause::kParameterShape:
      return named(story.dimension < 0 ? "a size" : fmt::format("size {}", story.dimension));
    case GuardCause::kObject:
      return story.source.empty() ? "an object is another one"
                                  : x + " is another object than before";
    case GuardCause::kDictKeys:
      return "the keys of a dictionary changed";
    case GuardCause::kDuckShape:
      return "two sizes that were equal are not any more: " + story.source;
    case GuardCause::kConstraint:
      return fmt::format("size {} of {} does not meet {}", std::max<int64_t>(story.dimension, 0), x,
                         story.text);
    case GuardCause::kMarkedLate:
      return x + " was marked dynamic after the first call";
    case GuardCause::kDispatchMode:
      return "the stack of dispatch modes changed";
    case GuardCause::kModuleVersion:
      return "a module counts as changed";
    case GuardCause::kDeallocated:
      return "an object that the entry was compiled for is gone";
    case GuardCause::kNondeterministic:
      return "guards failed that hold when they are looked at again";
    case GuardCause::kDivergence:
      return "the operators that user code issues " + change(story);
    case GuardCause::kScalar:
    case GuardCause::kString:
    case GuardCause::kOptional:
    case GuardCause::kAttribute:
    case GuardCause::kGlobal:
    case GuardCause::kOptimizer:
    case GuardCause::kGuarded:
      return fmt::format("{} {}", x, change(story));
    case GuardCause::kUnknown:
      break;
  }
  constexpr size_t kLongestGuard = 80;
  const bool isShort = namesGuard(story) && story.text.size() <= kLongestGuard;
  return isShort ? "a guard failed: " + story.text : "a guard failed";
}

Advice recompileAdvice(const GuardStory& story) {
  RecompileWording wording =
      story.language == Language::kPython ? pythonWording(story) : cppWording(story);
  Advice advice;
  advice.title = "recompile: " + whatChanged(story);
  advice.cause = whatChanged(story) + "; " + wording.reason;
  advice.fix = std::move(wording.fix);
  advice.isAvoidable = wording.isAvoidable;
  advice.certainty = story.cause == GuardCause::kUnknown ? Certainty::kUnknown : wording.certainty;
  return advice;
}

}  // namespace jitscope::analyzer
