#include <fmt/format.h>

#include <algorithm>

#include "analyzer/diagnoses/recompile_wording.h"

namespace jitscope::analyzer {
namespace {

using Wording = RecompileWording;

constexpr std::string_view kWarmUp =
    "call it once with every variant while the program starts, before requests arrive";

using Wording = RecompileWording;

Wording sizeWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  const int64_t dimension = std::max<int64_t>(story.dimension, 0);
  if (story.expected.starts_with("at most")) {
    return {"a bound that was given to markDynamic is a guard of the entry",
            fmt::format("raise the maximum in jitscope::markDynamic({}, {}, minimum, maximum)", x,
                        dimension)};
  }
  if (story.becameDynamic.value_or(false)) {
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
                      guardedVariable(story), kWarmUp),
          false};
}

Wording scalarWording(const GuardStory& story) {
  const std::string n = guardedVariable(story);
  return {"a number that is an argument is a constant of the graph",
          fmt::format(
              "pass {} as a tensor (torch::scalar_tensor({})), so that its value is an input of "
              "the graph; if it has few values, {}",
              n, n, kWarmUp)};
}

Wording tensorWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
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
  const std::string x = guardedVariable(story);
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

}  // namespace

RecompileWording cppWording(const GuardStory& story) {
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
    case GuardCause::kParameterShape:
    case GuardCause::kAttribute:
    case GuardCause::kGlobal:
    case GuardCause::kObject:
    case GuardCause::kDictKeys:
    case GuardCause::kDuckShape:
    case GuardCause::kConstraint:
    case GuardCause::kMarkedLate:
    case GuardCause::kOptimizer:
    case GuardCause::kDispatchMode:
    case GuardCause::kModuleVersion:
    case GuardCause::kDeallocated:
    case GuardCause::kNondeterministic:
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

}  // namespace jitscope::analyzer
