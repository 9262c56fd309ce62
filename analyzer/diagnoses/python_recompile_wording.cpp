#include <fmt/format.h>

#include <algorithm>

#include "analyzer/diagnoses/recompile_wording.h"

namespace jitscope::analyzer {
namespace {

using Wording = RecompileWording;

constexpr std::string_view kWarmUp = "call it once with every variant at start-up";

bool isFloat(std::string_view value) {
  return value.find('.') != std::string_view::npos &&
         value.find_first_not_of("0123456789.e+-") == std::string_view::npos;
}

bool isBool(std::string_view value) { return value == "True" || value == "False"; }

Wording sizeWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  const int64_t dimension = std::max<int64_t>(story.dimension, 0);
  const std::string mark = fmt::format("torch._dynamo.mark_dynamic({}, {})", x, dimension);
  if (story.becameDynamic) {
    return {
        "the first compilation takes every size for a constant, the second makes the one that "
        "changed dynamic",
        fmt::format("{} before the first call, or TORCH_COMPILE_DYNAMIC_SOURCES=\"L['{}']\": "
                    "then one graph serves all sizes from the start",
                    mark, x)};
  }
  return {"the size is a constant of the entry",
          fmt::format("{} before the call (or dynamic=True), or pad {} to a few fixed sizes. If it "
                      "is dynamic already, an operator or DDPOptimizer specialises it: "
                      "TORCH_LOGS=\"dynamic\" names the line",
                      mark, x)};
}

Wording zeroOneWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  return {"the sizes 0 and 1 get a graph of their own, also when the size is dynamic",
          fmt::format("pad {} so that the size is at least 2, torch._dynamo.mark_unbacked({}, {}), "
                      "or warm the small sizes up: {}",
                      x, x, std::max<int64_t>(story.dimension, 0), kWarmUp),
          false};
}

Wording tensorWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  switch (story.cause) {
    case GuardCause::kDtype:
      return {"a graph is compiled for one dtype",
              fmt::format("convert before the call ({}.to(dtype)); if several are wanted, {}", x,
                          kWarmUp)};
    case GuardCause::kDevice:
      return {"a graph is compiled for one device",
              fmt::format("move {} before the call ({}.to(device)), or {}", x, x, kWarmUp)};
    case GuardCause::kRank:
      return {"a graph is compiled for one number of dimensions",
              fmt::format("bring {} to one rank before the call (reshape, unsqueeze(0))", x)};
    case GuardCause::kStride:
      return {"a graph is compiled for one memory layout",
              fmt::format("pass {}.contiguous(), or the same layout in every call", x)};
    case GuardCause::kRequiresGrad:
      return {"a graph is compiled with or without gradient",
              fmt::format("pass {}.detach() where no gradient is wanted, in every call alike", x)};
    case GuardCause::kType:
      return {"the argument is of another type than the one compiled for",
              fmt::format("pass {} with the same type in every call; what was a tensor must stay "
                          "one (fill_ or copy_ instead of assigning a number)",
                          x)};
    default:
      return {
          "the tensor was made under another mode than the one compiled for: tensors that are "
          "made inside of torch.inference_mode() lack ADInplaceOrView and the autograd keys",
          fmt::format("make {} and call the function under the same mode at warm-up and at run "
                      "time (torch.inference_mode() around both or around neither)",
                      x)};
  }
}

Wording stateWording(const GuardStory& story) {
  switch (story.cause) {
    case GuardCause::kGradMode:
      return {"a graph is compiled for one grad mode",
              "call it under the same mode always (torch.no_grad() or torch.inference_mode() "
              "around every call or around none)"};
    case GuardCause::kDispatchMode:
      return {
          "a graph is compiled for one stack of torch function and dispatch modes; a mode was "
          "entered or left since",
          "enter the mode (TorchDispatchMode, TorchFunctionMode, torch.device as a context) "
          "around the first call too, or outside of the compiled function in none"};
    default:
      break;
  }
  Wording wording{
      "a graph is compiled for one global state",
      "set that state once, before the first call, and leave it: the same in every call"};
  if (!story.source.empty()) return wording;
  wording.reason +=
      ", and this version does not say what of it changed: grad_mode, inference_mode, autocast, "
      "deterministic algorithms, num_threads, default dtype, allow_tf32";
  wording.fix += "; newer torch names what changed (GLOBAL_STATE changed: …)";
  wording.certainty = Certainty::kLikely;
  return wording;
}

Wording valueWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  switch (story.cause) {
    case GuardCause::kAttribute:
      return {
          "a number that a module or object holds is a constant of the graph, so that each new "
          "value compiles again",
          fmt::format("keep {} as a tensor (a registered buffer) that is changed in place; for "
                      "int attributes of modules torch._dynamo.config."
                      "allow_unspec_int_on_nn_module = True",
                      x)};
    case GuardCause::kGlobal:
      return {
          "a value of a module or closure is a constant of the graph, so that each new value "
          "compiles again",
          fmt::format("pass {} as an argument and as a tensor (torch.tensor(…)), or leave it "
                      "unchanged",
                      x)};
    case GuardCause::kOptimizer:
      return {
          "a Python number in the optimizer's state is a constant of the graph; a scheduler "
          "that changes it compiles again at each step (a tensor lr alone is not enough: "
          "momentum and betas are cycled too)",
          "keep what the scheduler changes in tensors (lr=torch.tensor(…)), switch the cycling "
          "of betas off (cycle_momentum=False), or call optimizer.step outside of the compiled "
          "function"};
    case GuardCause::kString:
      return {"a text is a constant of the graph",
              fmt::format("compile one function per value of {}, or {}", x, kWarmUp)};
    default:
      break;
  }
  if (isBool(story.expected)) {
    return {"a bool is a constant of the graph",
            fmt::format("two graphs are all that {} needs: {}", x, kWarmUp)};
  }
  return {fmt::format("a Python {} that is an argument is guarded by its value, so that each new "
                      "value compiles again",
                      isFloat(story.expected) ? "float" : "int"),
          fmt::format("pass {} as a tensor (torch.tensor({})), or keep it symbolic by leaving "
                      "automatic dynamic shapes on",
                      x, x)};
}

Wording objectWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  if (story.source.find("__code__") != std::string::npos) {
    return {
        "the graph is bound to one function object, and a new one is made for each call",
        fmt::format("define the function behind {} once, outside of the loop, and pass the same "
                    "object every time",
                    x)};
  }
  if (story.source.find("_modules[") != std::string::npos) {
    return {
        "the code is shared by many modules of which each holds an object of its own, and the "
        "graph is bound to one of them by identity: one entry per module",
        fmt::format("share one object {} between the modules; else raise "
                    "torch._dynamo.config.recompile_limit to the number of modules at least, or "
                    "use a newer torch, which guards such objects less strictly",
                    x)};
  }
  return {
      "the graph is bound to one object by identity, and another one came",
      fmt::format("pass the same object {} in every call (make it once, outside of the loop)", x)};
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
      return {"whether two arguments share memory is a constant of the graph",
              fmt::format("pass {}.clone() where two arguments may be the same tensor", x)};
    case GuardCause::kLength:
      return {"the length of a list is a constant of the graph",
              fmt::format("pass {} as one stacked tensor, or pad it to a few lengths", x)};
    case GuardCause::kDictKeys:
      return {"the keys of a dictionary are constants of the graph",
              "pass a dictionary with the same keys in every call"};
    case GuardCause::kDuckShape:
      return {"sizes that are equal at the first call share one symbol, and stay equal by guard",
              "compile with sizes that differ where they may differ later, or "
              "torch.fx.experimental._config.use_duck_shape = False"};
    default:
      return {"whether an argument is None is a constant of the graph",
              fmt::format("pass a tensor instead of leaving {} out, or {}", x, kWarmUp)};
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
      return {"entries are bound to objects by weak references and go with them",
              "keep the model and what it holds alive between calls"};
    default:
      return {"the log does not tell which guard failed",
              "TORCH_LOGS=\"recompiles_verbose,guards\" prints all guards of every entry"};
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
      return stateWording(story);
    case GuardCause::kScalar:
    case GuardCause::kString:
    case GuardCause::kAttribute:
    case GuardCause::kGlobal:
    case GuardCause::kOptimizer:
      return valueWording(story);
    case GuardCause::kObject:
      return objectWording(story);
    case GuardCause::kParameter:
    case GuardCause::kParameterShape:
      return parameterWording(story);
    case GuardCause::kAliasing:
    case GuardCause::kLength:
    case GuardCause::kOptional:
    case GuardCause::kDictKeys:
    case GuardCause::kDuckShape:
      return structureWording(story);
    case GuardCause::kModule:
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
