#include <fmt/format.h>

#include <algorithm>

#include "analyzer/diagnoses/dispatch_keys.h"
#include "analyzer/diagnoses/recompile_wording.h"

namespace jitscope::analyzer {
namespace {

using Wording = RecompileWording;

/// The guarded tensor as Dynamo names it: `L['x']`.
std::string dynamoSource(const GuardStory& story) {
  const std::string source = story.source.substr(0, story.source.find(".size()"));
  const bool isWhole = source.starts_with("L[") || source.starts_with("G[");
  return isWhole ? source : fmt::format("L['{}']", guardedVariable(story));
}

Wording sizeWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  const int64_t dimension = std::max<int64_t>(story.dimension, 0);
  const std::string mark = fmt::format("torch._dynamo.mark_dynamic({}, {})", x, dimension);
  if (story.becameDynamic.value_or(true)) {
    const bool isTold = story.becameDynamic.has_value();
    return {
        fmt::format(
            "the first compilation takes every size for a constant, the second makes the "
            "one that changed dynamic{}",
            isTold ? "" : " (automatic dynamic shapes; the input does not tell whether it did)"),
        fmt::format("{} before the first call, or TORCH_COMPILE_DYNAMIC_SOURCES=\"{}\": "
                    "then one graph serves all sizes from the start",
                    mark, dynamoSource(story))};
  }
  if (isOfCache(story)) {
    return {"the tensor is of a cache that grows with each token, so that each length compiles",
            "allocate the cache once in full: StaticCache or cache_implementation=\"static\" in "
            "transformers (costs the memory of the longest sequence), and write into it by index"};
  }
  return {
      "the size is a constant of the entry: automatic dynamic shapes did not make it dynamic "
      "(they are off, or something specialises it)",
      fmt::format("{} before the call (or dynamic=True), or pad {} to a few fixed sizes. If it "
                  "is dynamic already, an operator or DDPOptimizer specialises it: "
                  "TORCH_LOGS=\"dynamic\" names the line",
                  mark, x)};
}

/// User code or an operator asks something of a size that is dynamic.
Wording constraintWording(const GuardStory& story) {
  return {fmt::format("the size is dynamic, but the graph holds only where {}: a comparison or a "
                      "computation with the size, in user code or in an operator, asks for it",
                      story.text),
          "take the comparison out of the compiled function, or pad so that it has the same answer "
          "in every call; the line that adds the guard is named here or by "
          "TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED=\"<the guard>\" with TORCH_LOGS=\"dynamic\""};
}

Wording markedLateWording(const GuardStory& story) {
  return {"an entry was compiled before the size was marked, and such marks are guarded",
          fmt::format("call torch._dynamo.mark_dynamic({}, dimension) before the first call of the "
                      "compiled function, and for every tensor that is passed",
                      guardedVariable(story))};
}

Wording zeroOneWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  return {"the sizes 0 and 1 get a graph of their own, also when the size is dynamic",
          fmt::format("pad {} so that the size is at least 2, torch._dynamo.mark_unbacked({}, {}), "
                      "or warm the small sizes up: {}",
                      x, x, std::max<int64_t>(story.dimension, 0), kPythonWarmUp),
          false};
}

Wording keysWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  const std::string_view difference = differenceOfKeys(story.expected, story.actual);
  if (!difference.empty() && difference.find("inference_mode") == std::string_view::npos) {
    return {
        fmt::format("the tensor is of another kind than the one compiled for: {}", difference),
        fmt::format("pass {} as the same kind of tensor in every call, or {}", x, kPythonWarmUp)};
  }
  return {
      "the tensor was made under another mode than the one compiled for: tensors that are made "
      "inside of torch.inference_mode() lack ADInplaceOrView and the autograd keys",
      fmt::format("make {} and call the function under the same mode at warm-up and at run time "
                  "(torch.inference_mode() around both or around neither)",
                  x)};
}

Wording tensorWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  switch (story.cause) {
    case GuardCause::kDtype:
      return {"a graph is compiled for one dtype",
              fmt::format("convert before the call ({}.to(dtype)); if several are wanted, {}", x,
                          kPythonWarmUp)};
    case GuardCause::kDevice:
      return {"a graph is compiled for one device",
              fmt::format("move {} before the call ({}.to(device)), or {}", x, x, kPythonWarmUp)};
    case GuardCause::kRank:
      return {"a graph is compiled for one number of dimensions",
              fmt::format("bring {} to one rank before the call (reshape, unsqueeze(0))", x)};
    case GuardCause::kStride:
      return {
          "a graph is compiled for one memory layout (strides), also where sizes are the same: "
          "a transposed, sliced or channels_last tensor has another",
          fmt::format("pass {}.contiguous(), or the same layout in every call "
                      "(.contiguous(memory_format=torch.channels_last) for all images or none)",
                      x)};
    case GuardCause::kRequiresGrad:
      return {"a graph is compiled with or without gradient",
              fmt::format("pass {}.detach() where no gradient is wanted, in every call alike", x)};
    case GuardCause::kType:
      if (story.source.find("param_groups") != std::string::npos) {
        return {"a scheduler or the program put a Python number where the optimizer had a tensor",
                fmt::format("{} must stay a tensor: change it in place ({}.fill_(value) or copy_) "
                            "instead of assigning a number; schedulers that assign one do not suit "
                            "a compiled step",
                            x, x)};
      }
      return {"the argument is of another type than the one compiled for",
              fmt::format("pass {} with the same type in every call; what was a tensor must stay "
                          "one (fill_ or copy_ instead of assigning a number)",
                          x)};
    default:
      return keysWording(story);
  }
}

Wording parameterWording(const GuardStory& story) {
  if (story.cause == GuardCause::kParameterShape) {
    return {
        "the guard is on the shape of a parameter, not of an input: one graph per weight shape "
        "is to be expected",
        "raise torch._dynamo.config.recompile_limit to the number of different shapes, or set "
        "torch._dynamo.config.force_parameter_static_shapes = False so that one graph serves "
        "them",
        false};
  }
  return {
      "which parameters a module holds is a guard: modules that share code but hold different "
      "parameters (LoRA patches, quantised weights) need an entry each",
      "use a newer torch, which guards parameters less strictly; raising "
      "torch._dynamo.config.recompile_limit is the slower workaround"};
}

Wording structureWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  switch (story.cause) {
    case GuardCause::kAliasing:
      return {
          "whether two arguments are the same tensor or share memory is a constant of the graph",
          fmt::format("pass {}.clone() where two arguments may be the same tensor", x)};
    case GuardCause::kLength:
      return {"the length of a list is a constant of the graph",
              fmt::format("pass {} as one stacked tensor, or pad it to a few lengths", x)};
    case GuardCause::kDictKeys:
      return {"the keys of a dictionary are constants of the graph",
              "pass a dictionary with the same keys in every call"};
    case GuardCause::kDuckShape:
      return {"sizes that are equal at the first call share one symbol, and stay equal by guard",
              "compile with sizes that differ where they may differ later (mark_dynamic keeps "
              "equal sizes equal too), or torch.fx.experimental._config.use_duck_shape = False"};
    default:
      return {"whether an argument is None is a constant of the graph",
              fmt::format("pass a tensor instead of leaving {} out, or {}", x, kPythonWarmUp)};
  }
}

Wording machineryWording(const GuardStory& story) {
  switch (story.cause) {
    case GuardCause::kNondeterministic:
      return {
          "a guard whose answer changes by itself, or several threads that call at once; not a "
          "matter of sizes",
          "call the compiled function from one thread at a time, and look for guarded values "
          "that another thread changes; TORCH_LOGS=\"recompiles_verbose,guards\" shows them",
          true, Certainty::kLikely};
    case GuardCause::kModuleVersion:
      return {
          "the graph itself changed a dictionary whose version is guarded; a fault of older "
          "versions",
          "use a newer torch"};
    case GuardCause::kDeallocated:
      if (story.text.find("___stack") != std::string::npos) {
        return {
            "the function resumes after a graph break and is bound to an object that lived "
            "only until then, so it compiles again each time",
            "remove the graph break before it (see the finding for it): then there is nothing "
            "to resume"};
      }
      return {"entries are bound to objects by weak references and go with them",
              "keep the model, its class and what it holds alive between calls: make them once, "
              "not per request"};
    default:
      if (namesGuard(story)) {
        return {"guards of this kind have no explanation here",
                "keep what the guard compares the same between calls; "
                "TORCH_LOGS=\"recompiles_verbose,guards\" prints the line of code that it comes "
                "from"};
      }
      return {"the log does not tell which guard failed",
              "TORCH_LOGS=\"recompiles_verbose,guards\" prints all guards of every entry; versions "
              "that print no reason at all did so where the stack of modes (a TorchDispatchMode or "
              "TorchFunctionMode that was entered since) differed: rule that out first"};
  }
}

}  // namespace

RecompileWording pythonWording(const GuardStory& story) {
  switch (story.cause) {
    case GuardCause::kSize:
      return sizeWording(story);
    case GuardCause::kZeroOne:
      return zeroOneWording(story);
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
    case GuardCause::kDispatchMode:
      return pythonStateWording(story);
    case GuardCause::kScalar:
    case GuardCause::kString:
    case GuardCause::kAttribute:
    case GuardCause::kGlobal:
    case GuardCause::kOptimizer:
      return pythonValueWording(story);
    case GuardCause::kObject:
      return pythonObjectWording(story);
    case GuardCause::kParameter:
    case GuardCause::kParameterShape:
      return parameterWording(story);
    case GuardCause::kAliasing:
    case GuardCause::kLength:
    case GuardCause::kOptional:
    case GuardCause::kDictKeys:
    case GuardCause::kDuckShape:
      return structureWording(story);
    case GuardCause::kConstraint:
      return constraintWording(story);
    case GuardCause::kMarkedLate:
      return markedLateWording(story);
    case GuardCause::kModule:
      if (story.source.find("_hooks") != std::string::npos) {
        return {"which hooks a module has is a constant of the graph",
                "register all hooks before the first call, and remove none between calls"};
      }
      return {"a module's training flag is a constant of the graph",
              "call eval() or train() once before the first call, not between calls"};
    case GuardCause::kGuarded:
      return {"a guarded value is a constant of the graph",
              "keep the value the same between calls, or make it a tensor argument"};
    case GuardCause::kDivergence:
    case GuardCause::kNondeterministic:
    case GuardCause::kModuleVersion:
    case GuardCause::kDeallocated:
    case GuardCause::kUnknown:
      break;
  }
  return machineryWording(story);
}

}  // namespace jitscope::analyzer
