#include <fmt/format.h>

#include <array>

#include "analyzer/diagnoses/recompile_wording.h"

namespace jitscope::analyzer {
namespace {

/// A part of the global state as guards name it, and what changes it.
struct StateCall {
  std::string_view state, call;
};

// The special stands before the general.
constexpr std::array kStateCalls{
    StateCall{"CURRENT_DEVICE",
              "the default device: torch.set_default_device(…) or `with torch.device(…)`"},
    StateCall{"autocast", "torch.autocast"},
    StateCall{"deterministic_algorithms", "torch.use_deterministic_algorithms(…)"},
    StateCall{"num_threads",
              "torch.set_num_threads(…), which libraries and data loaders call as well"},
    StateCall{"default_dtype", "torch.set_default_dtype(…)"},
    StateCall{"allow_tf32",
              "torch.set_float32_matmul_precision(…) or torch.backends.cuda.matmul.allow_tf32"},
    StateCall{"allow_fp16_reduce",
              "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction"},
    StateCall{"allow_bf16_reduce",
              "torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction"},
    StateCall{"torch_function", "torch._C.DisableTorchFunction or a torch function mode"},
    StateCall{"grad_mode", "torch.no_grad() or torch.inference_mode()"},
};

RecompileWording namedStateWording(const GuardStory& story) {
  std::string calls;
  for (const StateCall& each : kStateCalls) {
    if (story.source.find(each.state) == std::string::npos) continue;
    calls += (calls.empty() ? "" : "; ") + std::string(each.call);
  }
  if (calls.empty()) calls = story.source;
  return {"a graph is compiled for one global state",
          fmt::format("set it once, before the first call, and leave it the same in every call: {}",
                      calls)};
}

}  // namespace

RecompileWording pythonStateWording(const GuardStory& story) {
  switch (story.cause) {
    case GuardCause::kGradMode:
      return {"a graph is compiled for one grad mode",
              "call it under the same mode always (torch.no_grad() or torch.inference_mode() "
              "around every call or around none). Training and evaluation in one process need "
              "both: that is at most one more graph, made once"};
    case GuardCause::kDispatchMode:
      return {
          "a graph is compiled for one stack of torch function and dispatch modes; a mode was "
          "entered or left since",
          "enter the mode (TorchDispatchMode, TorchFunctionMode, torch.device as a context) "
          "around the first call too, or outside of the compiled function in none"};
    default:
      break;
  }
  if (!story.source.empty()) return namedStateWording(story);
  return {
      "a graph is compiled for one global state, and this version does not say what of it changed: "
      "grad_mode, inference_mode, autocast, deterministic algorithms, num_threads, default dtype, "
      "allow_tf32",
      "set that state once, before the first call, and leave it: the same in every call; newer "
      "torch names what changed (GLOBAL_STATE changed: …)",
      true, Certainty::kLikely};
}

}  // namespace jitscope::analyzer
