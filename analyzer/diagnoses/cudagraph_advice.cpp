#include "analyzer/diagnoses/cudagraph_advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::analyzer {
namespace {

std::string joined(const auto& texts) {
  constexpr size_t kShown = 16;
  std::string result;
  size_t count = 0;
  for (const std::string& each : texts) {
    if (count++ == kShown) return result + ", …";
    result += (result.empty() ? "" : ", ") + each;
  }
  return result;
}

std::string graphsOf(const CudagraphGroup& group) {
  return group.graphs.empty() ? "a graph that the log does not name"
                              : "graph " + joined(group.graphs);
}

/// What happened, with the line of code if it is known.
std::string skipCause(const CudagraphGroup& group) {
  std::string text =
      fmt::format("the compiler gave up CUDA graphs for {}: {}", graphsOf(group), group.reason);
  if (group.place.file.empty())
    text += "; which line does it is not in this log (newer torch says \"Found from\")";
  else if (!group.codeLine.empty())
    text += fmt::format("; the line is `{}`", group.codeLine);
  return text;
}

Advice skipAdvice(const CudagraphGroup& group, std::string title, std::string fix) {
  return {std::move(title), skipCause(group), std::move(fix)};
}

Advice mutationAdvice(const CudagraphGroup& group) {
  const std::string tensor = mutatedTensor(group.codeLine);
  const std::string named = tensor.empty() ? "an input" : tensor;
  return skipAdvice(
      group, fmt::format("CUDA graph skipped: {} is mutated in place", named),
      fmt::format("return the new value instead of writing into {}, or give the mutated tensor a "
                  "fixed address: make it a parameter or buffer of the module, or call "
                  "torch._dynamo.mark_static_address({}) before the first call",
                  tensor.empty() ? "the input" : tensor, tensor.empty() ? "tensor" : tensor));
}

Advice hostDeviceAdvice(const CudagraphGroup& group) {
  const std::string subject = group.subject.empty() ? "a tensor" : group.subject;
  return skipAdvice(group, fmt::format("CUDA graph skipped: {} is on the CPU", subject),
                    "move the tensor to the GPU before the call, and make constants on the device "
                    "(torch.tensor(…, device=x.device)); from torch 2.9 on, "
                    "torch._inductor.config.graph_partition = True cuts only the CPU part out");
}

Advice severalDevicesAdvice(const CudagraphGroup& group) {
  const std::string devices = group.subject.empty() ? "" : fmt::format(" ({})", group.subject);
  return skipAdvice(
      group, fmt::format("CUDA graph skipped: several devices{}", devices),
      "a CUDA graph holds work of one GPU: keep everything that one compiled function "
      "touches on one device, and compile the parts of each device separately");
}

/// What to do about an operator that cannot be recorded, by what it does.
std::string operatorFix(std::string_view op) {
  const auto is = [&](std::string_view part) { return op.find(part) != std::string_view::npos; };
  if (is("_local_scalar_dense") || is("item"))
    return "it reads a value on the host (.item(), int(), bool()): keep the value on the device, "
           "or read it outside of the compiled function";
  if (is("nonzero") || is("unique") || is("masked_select") || is("repeat_interleave"))
    return "the size of its result depends on data: use torch.where, or pass output_size where the "
           "operator takes it";
  if (is("index_put") || is("scatter"))
    return "it is run in a way that cannot be recorded under "
           "torch.use_deterministic_algorithms(True): turn that off here, or write the result "
           "without accumulating into repeated indices";
  if (is("multinomial"))
    return "it checks its input on the host: sample with argmax(probs / exponential noise), or "
           "outside of the compiled function";
  return "take it out of the compiled function, or let torch 2.9 or newer cut it out "
         "(torch._inductor.config.graph_partition = True)";
}

Advice operatorAdvice(const CudagraphGroup& group) {
  if (group.subject.empty())
    return skipAdvice(group, "CUDA graph skipped: an operator cannot be recorded",
                      "this version does not say which one: newer torch names it; candidates are "
                      ".item(), nonzero, multinomial and index_put with deterministic algorithms");
  return skipAdvice(group, fmt::format("CUDA graph skipped: {} cannot be recorded", group.subject),
                    operatorFix(group.subject));
}

Advice movedInputAdvice(const CudagraphGroup& group) {
  return skipAdvice(
      group, "CUDA graph given up: it had to be recorded too often",
      fmt::format("{}: a parameter or buffer got new memory after the graph was recorded "
                  "(`.data = `, `.to()`, load_state_dict(assign=True), grad = None); write into "
                  "the old memory with copy_(), and zero_grad(set_to_none=False) where gradients "
                  "are inputs; torch._inductor.config.triton.cudagraph_unexpected_rerecord_limit "
                  "sets the limit",
                  group.subject.empty() ? "an input moved" : group.subject));
}

Advice partitionAdvice(const CudagraphGroup& group) {
  Advice advice;
  advice.title = fmt::format("CUDA graph cut into pieces: {}", group.reason);
  advice.cause = fmt::format(
      "{} is replayed in pieces, and what stands between them is launched one by one: {}{}",
      graphsOf(group), group.reason,
      group.codeLine.empty() ? "" : fmt::format("; the line is `{}`", group.codeLine));
  advice.fix =
      "keep .item(), .cpu(), copies between devices and operators of the CPU out of the compiled "
      "function, or move them to its beginning or end";
  return advice;
}

Advice rerecordAdvice(const CudagraphGroup& group) {
  const auto known = static_cast<int64_t>(group.keys.size());
  Advice advice;
  advice.title = fmt::format("CUDA graph recorded again for each size: {} recordings",
                             std::max(known, group.sizeCount));
  advice.cause = fmt::format("{} is recorded for each input size; ", graphsOf(group));
  advice.cause += known == 0 ? "which sizes is not in this log (TORCH_LOGS=\"cudagraphs\" names "
                               "each one)"
                             : "the sizes were " + joined(group.keys);
  advice.fix =
      "pad the input to a few fixed sizes, or mark the size static and warm those up; "
      "torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True turns such graphs "
      "off, but some versions record graphs with static outputs all the same";
  return advice;
}

Advice overwrittenAdvice(const CudagraphGroup& group) {
  Advice advice;
  advice.title = "CUDA graph output read after it was overwritten";
  advice.cause =
      "a tensor that a CUDA graph returned was used after the next run had written into the same "
      "memory";
  if (!group.codeLine.empty())
    advice.cause += fmt::format("; it was made by `{}`", group.codeLine);
  else if (group.place.file.empty())
    advice.cause += "; which one is not in this message";
  advice.fix =
      "clone() the output outside of the compiled function before the next call, also where "
      "outputs are kept over several calls (microbatches of a pipeline, losses that are summed "
      "up); torch.compiler.cudagraph_mark_step_begin() marks the iterations of a loop, which "
      "inference needs, but does not protect old outputs";
  return advice;
}

Advice pendingBackwardAdvice(const CudagraphGroup& group) {
  Advice advice;
  advice.title = "CUDA graphs take the slow path: a backward pass is still pending";
  advice.cause = fmt::format(
      "{} ran forward again before the backward pass of an earlier call, so memory could not be "
      "reused and the graph was not replayed",
      graphsOf(group));
  advice.fix =
      "run inference under torch.no_grad() or inference_mode(); in training call "
      "torch.compiler.cudagraph_mark_step_begin() at the start of each step";
  return advice;
}

Advice captureAdvice(const CudagraphGroup& group) {
  Advice advice;
  advice.title = "CUDA graph capture failed: a call is not allowed while recording";
  advice.cause = fmt::format("the capture ended with: {}", group.reason);
  advice.fix =
      "between capture_begin and capture_end nothing may wait for the GPU or use another stream: "
      "no item(), cpu(), printing, synchronize() or copies from memory that is not pinned; run a "
      "few warm-up iterations on the capturing side stream first, write inputs into static "
      "tensors with copy_(), and replay() with them (at::cuda::CUDAGraph in C++)";
  return advice;
}

}  // namespace

Advice adviceOf(const CudagraphGroup& group) {
  switch (group.trouble) {
    case CudagraphTrouble::kMutatedInput:
      return mutationAdvice(group);
    case CudagraphTrouble::kHostDevice:
      return hostDeviceAdvice(group);
    case CudagraphTrouble::kSeveralDevices:
      return severalDevicesAdvice(group);
    case CudagraphTrouble::kIncompatibleOp:
      return operatorAdvice(group);
    case CudagraphTrouble::kDynamicSizes:
      return skipAdvice(
          group, "CUDA graph skipped: its sizes are dynamic",
          "cudagraph_skip_dynamic_graphs is set, so graphs with dynamic sizes are "
          "launched one by one: pad inputs to a few fixed sizes and compile those "
          "with dynamic=False, or clear the option to record one graph for each size");
    case CudagraphTrouble::kMovedInput:
      return movedInputAdvice(group);
    case CudagraphTrouble::kPartitioned:
      return partitionAdvice(group);
    case CudagraphTrouble::kRerecorded:
      return rerecordAdvice(group);
    case CudagraphTrouble::kOverwritten:
      return overwrittenAdvice(group);
    case CudagraphTrouble::kPendingBackward:
      return pendingBackwardAdvice(group);
    case CudagraphTrouble::kCaptureFailed:
      return captureAdvice(group);
    case CudagraphTrouble::kOtherSkip:
      break;
  }
  if (group.reason.find("deterministic") != std::string::npos)
    return skipAdvice(group, fmt::format("CUDA graph skipped: {}", group.reason),
                      operatorFix("index_put"));
  return skipAdvice(group, fmt::format("CUDA graph skipped: {}", group.reason),
                    "TORCH_LOGS=\"perf_hints,cudagraphs\" shows where the graph comes from");
}

}  // namespace jitscope::analyzer
