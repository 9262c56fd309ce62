#include <fmt/format.h>

#include <charconv>

#include "analyzer/diagnoses/recompile_wording.h"

namespace jitscope::analyzer {
namespace {

bool isFloat(std::string_view value) {
  return value.find('.') != std::string_view::npos &&
         value.find_first_not_of("0123456789.e+-") == std::string_view::npos;
}

bool isBool(std::string_view value) {
  return value == "True" || value == "False" || value == "<class 'bool'>";
}

/// Whether an attribute numbers the layer that holds it.
bool isOfLayer(std::string_view source) {
  for (const std::string_view word : {"layer_idx", "layer_id", "layer_index", "block_idx"}) {
    if (source.find(word) != std::string_view::npos) return true;
  }
  return false;
}

RecompileWording cacheWording(const std::string& x) {
  return {
      "the length that a cache of keys and values has is a constant of the graph, so that each "
      "token compiles again",
      fmt::format("keep {} as a tensor (a registered buffer) that is changed in place, as "
                  "StaticCache does: cache_implementation=\"static\" in transformers (costs the "
                  "memory of the longest sequence)",
                  x)};
}

/// Whether an object that was compiled for lies in the data of the interpreter itself, as None,
/// True and False do: at a low address where python is no relocatable program, and aligned.
bool isOfInterpreter(const GuardStory& story) {
  constexpr uint64_t kHighest = uint64_t{1} << 28, kAlignment = 16;
  const size_t comma = story.text.rfind(", ");
  if (!story.text.starts_with("___check_obj_id(") || comma == std::string::npos) return false;
  uint64_t address = 0;
  const char* const end = story.text.data() + story.text.size();
  const auto [after, error] = std::from_chars(story.text.data() + comma + 2, end, address);
  return error == std::errc() && after < end && *after == ')' && address > 0 &&
         address < kHighest && address % kAlignment == 0;
}

RecompileWording interpreterObjectWording(const std::string& x) {
  return {
      "the graph is bound to one object by identity; its address is one of python's own data, so "
      "it was most likely None, and something else came",
      fmt::format("pass {} in every call or in none; where both are needed, {}", x, kPythonWarmUp),
      true, Certainty::kLikely};
}

}  // namespace

bool isOfCache(const GuardStory& story) {
  for (const std::string_view word : {"past_key_value", "key_cache", "value_cache", "kv_cache"}) {
    if (story.source.find(word) != std::string::npos) return true;
  }
  return false;
}

RecompileWording pythonValueWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  switch (story.cause) {
    case GuardCause::kAttribute:
      if (isOfCache(story)) return cacheWording(x);
      if (isOfLayer(story.source)) {
        return {
            "the code is shared by many layers that differ in this number, and the number is a "
            "constant of the graph: one entry for each of them",
            "raise torch._dynamo.config.recompile_limit to the number of layers at least; else do "
            "not branch on the number in forward (decide in __init__), or compile the whole model "
            "instead of the layer"};
      }
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
              fmt::format("compile one function per value of {}, or {}", x, kPythonWarmUp)};
    default:
      break;
  }
  if (isBool(story.expected)) {
    return {"a bool is a constant of the graph",
            fmt::format("two graphs are all that {} needs: {}", x, kPythonWarmUp)};
  }
  if (isFloat(story.expected)) {
    return {
        "a Python float that is an argument is guarded by its value, so that each new value "
        "compiles again",
        fmt::format("pass {} as a tensor (torch.tensor({})), or set "
                    "torch._dynamo.config.specialize_float = False (the default of newer torch)",
                    x, x)};
  }
  return {
      "a Python int that is an argument is guarded by its value, so that each new value "
      "compiles again",
      fmt::format("pass {} as a tensor (torch.tensor({})), or keep it symbolic by leaving "
                  "automatic dynamic shapes on",
                  x, x)};
}

RecompileWording pythonObjectWording(const GuardStory& story) {
  const std::string x = guardedVariable(story);
  if (story.source.find("__code__") != std::string::npos) {
    return {
        "the graph is bound to one function object, and a new one is made for each call",
        fmt::format("define the function behind {} once, outside of the loop, and pass the same "
                    "object every time",
                    x)};
  }
  if (story.source.find("weight_function") != std::string::npos ||
      story.source.find("lora") != std::string::npos) {
    return {
        "the graph is bound to the patch (LoRA) that a module holds: another patch is another "
        "model, and that it compiles again is to be expected",
        "load all patches before the first call, or keep one set of them; each set of graphs takes "
        "memory, which torch._dynamo.reset() frees when the old set is not needed any more",
        false};
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
  if (isOfInterpreter(story)) return interpreterObjectWording(x);
  return {"the graph is bound to one object by identity, and another one came",
          fmt::format("pass the same object {} in every call: make it once, outside of the loop (a "
                      "lambda or partial that is written in the call is a new object each time)",
                      x)};
}

}  // namespace jitscope::analyzer
