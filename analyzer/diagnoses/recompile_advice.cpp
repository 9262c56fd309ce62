#include <fmt/format.h>

#include "analyzer/diagnoses/guard_cause.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kWarmUp =
    "call it once with every variant while the program starts, before requests arrive";

/// The words that differ between causes; what changed is told by whatChanged.
struct Wording {
  std::string reason;  ///< why a change of this kind compiles anew
  std::string fix;
  bool isAvoidable = true;
};

std::string variable(const GuardStory& story) {
  return story.source.empty() ? std::string("the input") : variableOf(story.source);
}

Wording sizeWording(const GuardStory& story) {
  const std::string x = variable(story);
  const int64_t dimension = std::max<int64_t>(story.dimension, 0);
  if (story.expected.starts_with("at most")) {
    return {"a bound that was given to markDynamic is a guard of the entry",
            fmt::format("raise the maximum in jitscope::markDynamic({}, {}, minimum, maximum)", x,
                        dimension)};
  }
  if (story.becameDynamic) {
    return {
        "the first compilation takes every size for a constant, the second makes the one that "
        "changed dynamic",
        fmt::format("jitscope::markDynamic({}, {}) before the first call: then one graph serves "
                    "all sizes from the start",
                    x, dimension)};
  }
  return {
      "the size is a constant of every entry, so that each new size compiles again",
      fmt::format("let the size be dynamic (jitscope::markDynamic({}, {}), no markStatic and no "
                  "dynamic=false), or pad {} to a few fixed sizes and warm those up",
                  x, dimension, x)};
}

Wording zeroOneWording(const GuardStory& story) {
  return {"the sizes 0 and 1 always get a graph of their own, also when the size is dynamic",
          fmt::format("pad {} so that the size is at least 2, or warm the small sizes up: {}",
                      variable(story), kWarmUp),
          false};
}

Wording scalarWording(const GuardStory& story) {
  const std::string n = variable(story);
  return {"a number that is an argument is a constant of the graph",
          fmt::format(
              "pass {} as a tensor (torch::scalar_tensor({})), so that its value is an input of "
              "the graph; if it has few values, {}",
              n, n, kWarmUp)};
}

Wording tensorWording(const GuardStory& story) {
  const std::string x = variable(story);
  switch (story.cause) {
    case GuardCause::kDtype:
      return {"a graph is compiled for one dtype",
              fmt::format(
                  "convert before the call ({}.to(dtype)) so that the dtype is always the same; "
                  "if both are wanted, {}",
                  x, kWarmUp)};
    case GuardCause::kDevice:
      return {"a graph is compiled for one device",
              fmt::format("move {} before the call ({}.to(device)); if both devices are wanted, {}",
                          x, x, kWarmUp)};
    case GuardCause::kRank:
      return {"a graph is compiled for one number of dimensions",
              fmt::format("bring {} to one rank before the call (reshape, unsqueeze(0)), or {}", x,
                          kWarmUp)};
    case GuardCause::kStride:
      return {"a graph is compiled for one memory layout",
              fmt::format("pass {}.contiguous(), or the same layout in every call", x)};
    case GuardCause::kRequiresGrad:
      return {"a graph is compiled with or without gradient",
              fmt::format("pass {}.detach() where no gradient is wanted, in every call alike", x)};
    case GuardCause::kDispatchKeys:
      return {
          "a graph is compiled for one kind of tensor",
          fmt::format("pass the same kind of tensor as {} in every call (same device, layout and "
                      "wrapper, not a view under another mode)",
                      x)};
    default:
      return {"the argument is of another type than the one compiled for",
              fmt::format("pass {} as a tensor in every call", x)};
  }
}

Wording stateWording(const GuardStory& story) {
  switch (story.cause) {
    case GuardCause::kGradMode:
      return {"a graph is compiled for one grad mode",
              fmt::format(
                  "call it under the same mode always, e.g. one at::NoGradGuard around the whole "
                  "service; if both are wanted, {}",
                  kWarmUp)};
    case GuardCause::kGlobalState:
      return {
          "a graph is compiled for one global state (autocast, inference mode, default dtype, "
          "deterministic algorithms, threads)",
          "set that state once, before the first call, and leave it"};
    case GuardCause::kModule:
      return {"a module's training flag is a constant of the graph",
              "call eval() or train() once before the first call, not between calls; if both are "
              "wanted, warm both up"};
    case GuardCause::kParameter:
      return {"the graph holds the module's parameters by identity",
              "change parameters in place (copy_ under a NoGradGuard) instead of replacing them"};
    default:
      return {"a guarded value is a constant of the graph",
              "keep the value the same between calls, or make it a tensor argument"};
  }
}

Wording structureWording(const GuardStory& story) {
  const std::string x = variable(story);
  switch (story.cause) {
    case GuardCause::kAliasing:
      return {
          "whether two arguments share memory is a constant of the graph",
          fmt::format("pass a copy ({}.clone()) where two arguments may be the same tensor", x)};
    case GuardCause::kLength:
      return {
          "the length of a list is a constant of the graph",
          fmt::format("pass {} as one stacked tensor, or pad the list to a few lengths and warm "
                      "those up",
                      x)};
    case GuardCause::kOptional:
      return {"whether an optional argument is there is a constant of the graph",
              fmt::format("pass an empty tensor instead of leaving {} out, or {}", x, kWarmUp)};
    default:
      return {"a text is a constant of the graph",
              fmt::format("compile one function per value of {}, or {}", x, kWarmUp)};
  }
}

Wording wordingOf(const GuardStory& story) {
  switch (story.cause) {
    case GuardCause::kSize:
      return sizeWording(story);
    case GuardCause::kZeroOne:
      return zeroOneWording(story);
    case GuardCause::kScalar:
      return scalarWording(story);
    case GuardCause::kDtype:
    case GuardCause::kDevice:
    case GuardCause::kRank:
    case GuardCause::kStride:
    case GuardCause::kRequiresGrad:
    case GuardCause::kDispatchKeys:
    case GuardCause::kType:
      return tensorWording(story);
    case GuardCause::kGradMode:
    case GuardCause::kGlobalState:
    case GuardCause::kModule:
    case GuardCause::kParameter:
    case GuardCause::kGuarded:
      return stateWording(story);
    case GuardCause::kAliasing:
    case GuardCause::kLength:
    case GuardCause::kOptional:
    case GuardCause::kString:
      return structureWording(story);
    case GuardCause::kDivergence:
      return {
          "user code issued other operators than the ones recorded",
          "make the choice between them a tensor operation (torch::where), or end the graph before "
          "it with jitscope::graphBreak()"};
    case GuardCause::kUnknown:
      break;
  }
  return {
      "the recording does not tell which kind of guard failed",
      "read the guard's text; JITSCOPE_LOGS=\"recompiles,guards\" prints all guards of the entry"};
}

/// "from 4 to 8", or what is known of it.
std::string change(const GuardStory& story) {
  if (story.expected.empty() && story.actual.empty()) return "changed";
  if (story.actual.empty()) return fmt::format("is no longer {}", story.expected);
  if (story.expected.empty()) return fmt::format("became {}", story.actual);
  // A bound of a dynamic size: "at least 2", "at most 64".
  if (story.expected.starts_with("at ")) {
    return fmt::format("is {}, not {}", story.actual, story.expected);
  }
  return fmt::format("changed from {} to {}", story.expected, story.actual);
}

}  // namespace

std::string whatChanged(const GuardStory& story) {
  const std::string x = variable(story);
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
      return named("the kind of tensor");
    case GuardCause::kType:
      return named("type");
    case GuardCause::kLength:
      return named("length");
    case GuardCause::kGradMode:
      return "grad mode changed";
    case GuardCause::kGlobalState:
      return story.source.empty() ? "global state changed" : story.source + " changed";
    case GuardCause::kAliasing:
      return "which arguments share memory " + change(story);
    case GuardCause::kModule:
      return named("module state");
    case GuardCause::kParameter:
      return named("a parameter");
    case GuardCause::kDivergence:
      return "the operators that user code issues " + change(story);
    case GuardCause::kScalar:
    case GuardCause::kString:
    case GuardCause::kOptional:
    case GuardCause::kGuarded:
      return fmt::format("{} {}", x, change(story));
    case GuardCause::kUnknown:
      break;
  }
  return "a guard failed";
}

Advice recompileAdvice(const GuardStory& story) {
  Wording wording = wordingOf(story);
  Advice advice;
  advice.title = "recompile: " + whatChanged(story);
  advice.cause = whatChanged(story) + "; " + wording.reason;
  advice.fix = std::move(wording.fix);
  advice.isAvoidable = wording.isAvoidable;
  advice.certainty =
      story.cause == GuardCause::kUnknown ? Certainty::kUnknown : Certainty::kCertain;
  return advice;
}

}  // namespace jitscope::analyzer
