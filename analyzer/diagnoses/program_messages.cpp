#include "analyzer/diagnoses/program_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"

namespace jitscope::analyzer {
namespace {

/// What to say of a topic. `{}` in a title is what the first line told.
struct TopicWords {
  std::string_view topic;
  FindingKind kind;
  const char *title, *cause, *fix;
  Certainty certainty = Certainty::kCertain;
};

constexpr TopicWords kWords[] = {
    {"cupti_conflict", FindingKind::kRecording, "two profilers at once: CUPTI serves only one",
     "CUPTI refused a second subscriber (CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED), so the "
     "profiler that came later has no kernels",
     "record with one tool: nsys, ncu, torch.profiler or jitscope record, not two of them; DCGM's "
     "profiling counters hold CUPTI too (dcgmi profiling --pause)"},
    {"counter_privileges", FindingKind::kRecording, "the GPU's counters are not allowed here",
     "the driver gives counters to administrators only (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "
     "ERR_NVGPUCTRPERM); tracing of kernels does not need them",
     "run as root or with CAP_SYS_ADMIN, or load the driver with "
     "NVreg_RestrictProfilingToAdminUsers=0; record without counters otherwise"},
    {"cupti_failed", FindingKind::kRecording, "the profiler records no GPU work: {}",
     "Kineto could not start CUPTI and went on with the host alone, so there are no kernels, and "
     "times of operators are those of launching",
     "see the CUPTI_ERROR on the line before: another profiler (nsys, ncu, DCGM, jitscope record), "
     "a driver older than CUPTI, or a machine that does not allow it; `jitscope doctor` tells"},
    {"not_reassociated", FindingKind::kRecording, "operators and kernels were not joined: {}",
     "the profiler found no GPU work for the operators that it recorded; CUPTI came after the CUDA "
     "context, or another tool held it",
     "start the profiler before the first CUDA call (a warm-up step with ProfilerActivity.CUDA), "
     "and stop what else profiles (nsys, DCGM)",
     Certainty::kLikely},
    {"buffers_full", FindingKind::kRecording, "the profiler stopped early: its buffers were full",
     "torch.profiler keeps at most 128 MB of device records; what the device did afterwards is not "
     "in the trace, so totals are too low",
     "record fewer steps (torch.profiler.schedule), or set ACTIVITIES_MAX_GPU_BUFFER_SIZE_MB in "
     "Kineto's configuration (KINETO_CONFIG); jitscope record streams to disk instead"},
    {"out_of_range", FindingKind::kRecording, "the profiler left records out: {}",
     "records whose times lie outside of the window are dropped: those of warm-up steps, as it "
     "should be, or without such steps kernels, so that totals are too low; this input does not "
     "tell which",
     "warm the profiler up (torch.profiler.schedule with wait and warmup steps) and call "
     "torch.cuda.synchronize() before it starts; if kernels of the trace are missing, compare "
     "later "
     "steps only",
     Certainty::kUnknown},
    {"built_without_kineto", FindingKind::kRecording, "this LibTorch was built without Kineto",
     "the library has no profiler for devices (USE_KINETO=0), so a trace cannot be saved and "
     "profilerEnabled() stays false",
     "link the LibTorch that pytorch.org distributes, or build with USE_KINETO=1; `jitscope record "
     "-- PROGRAM` records kernels and operators without it"},
    {"aoti_input_shape", FindingKind::kProgramError,
     "AOTInductor model called with a size that it was not compiled for: {}",
     "sizes that torch.export did not mark dynamic are constants of the compiled model, and the "
     "call brought another one",
     "export with dynamic_shapes for that dimension (torch.export.Dim with min and max that cover "
     "the call), or pad the input; keep AOTI_RUNTIME_CHECK_INPUTS=1 while testing: without it the "
     "same call gives wrong results silently"},
    {"aoti_input_dtype", FindingKind::kProgramError,
     "AOTInductor model called with another type of elements: {}",
     "the compiled model reads its inputs as the type with which it was exported",
     "convert the input with .to(…) before run(), in the order of inputs that export printed"},
    {"aoti_input_stride", FindingKind::kProgramError,
     "AOTInductor model called with another layout: {}",
     "the compiled model walks its inputs with the strides of the example with which it was "
     "exported",
     "call .contiguous() (or to(memory_format)) before run(), as the example was"},
    {"aoti_input_device", FindingKind::kProgramError,
     "AOTInductor model called with a tensor on another device: {}",
     "the model is compiled for the device of its example inputs",
     "move the input to that device before run(), or compile the model for this one"},
    {"aoti_input_count", FindingKind::kProgramError,
     "AOTInductor model called with another number of inputs: {}",
     "run() takes every tensor of the exported signature, flattened in its order; what was None or "
     "a constant at export is not an input",
     "print exported.graph_signature.user_inputs and pass exactly those"},
    {"aoti_operator_size", FindingKind::kProgramError,
     "AOTInductor model called with a size that it was not compiled for: {}",
     "AOTInductor checks no sizes when it runs, so the first operator that noticed failed, and "
     "where none notices, results are wrong silently",
     "compare the sizes of the call with those of torch.export (exported.range_constraints), and "
     "export with dynamic_shapes where they differ; AOTI_RUNTIME_CHECK_INPUTS=1 names the input "
     "and the dimension",
     Certainty::kLikely},
    {"aoti_failed", FindingKind::kProgramError, "an AOTInductor model failed when it ran: {}",
     "the runner tells only that a call into the model failed; the reason is the line with "
     "\"Error:\" that the model wrote to stderr before, if it is in this log",
     "record stderr too, and run once with AOTI_RUNTIME_CHECK_INPUTS=1 (checks sizes, types and "
     "strides of inputs, which are not checked otherwise) and TORCH_SHOW_CPP_STACKTRACES=1",
     Certainty::kUnknown},
    {"aoti_undeclared_size", FindingKind::kProgramError,
     "generated C++ uses the size {} that it does not declare",
     "a known class of faults of AOTInductor with dynamic sizes: a size appears only inside of an "
     "expression, or two sizes had the same value in the example",
     "compile with a newer torch; until then give the example inputs different sizes in each "
     "dynamic dimension, or make the dimension static",
     Certainty::kLikely},
    {"cuda_not_linked", FindingKind::kProgramError, "the program is linked without LibTorch's CUDA",
     "the linker left out libtorch_cuda because no symbol of it is named (--as-needed), or the "
     "LibTorch is the CPU build",
     "link with ${TORCH_LIBRARIES} and -Wl,--no-as-needed,libtorch_cuda.so, and use the CUDA "
     "build of LibTorch; torch::cuda::is_available() tells"},
};

/// All lines of one topic.
struct TopicGroup {
  std::string told;
  std::vector<Occurrence> occurrences;
};

Finding findingOf(const TopicWords& words, TopicGroup& group) {
  constexpr size_t kLongest = 160;
  std::string told = group.told.substr(0, kLongest);
  // What a logger or `what():` puts in front is not what is told.
  for (const std::string_view front : {"what():  ", "Error: ", "] "}) {
    const size_t at = told.find(front);
    if (at != std::string::npos) told.erase(0, at + front.size());
  }
  Finding finding;
  finding.kind = words.kind;
  finding.causeClass = words.topic;
  finding.id = fmt::format("{}/{}", name(words.kind), words.topic);
  finding.advice = {fmt::format(fmt::runtime(words.title), told), words.cause, words.fix,
                    words.certainty};
  setOccurrences(finding, "lines", std::move(group.occurrences));
  return finding;
}

/// What a more exact line says already.
void leaveOutGeneral(std::map<std::string, TopicGroup, std::less<>>& groups) {
  const auto has = [&](std::string_view topic) { return groups.contains(topic); };
  if (has("cupti_conflict")) groups.erase("cupti_failed");
  if (has("counter_privileges")) groups.erase("cupti_failed");
  // Any program can say that; only behind a model's failure it is the model's.
  if (!has("aoti_failed")) groups.erase("aoti_operator_size");
  if (has("aoti_operator_size")) groups.erase("aoti_failed");
  const auto exact = groups.lower_bound("aoti_input");
  if (exact != groups.end() && exact->first.starts_with("aoti_input")) groups.erase("aoti_failed");
}

}  // namespace

std::vector<Finding> findProgramMessages(const Subject& subject) {
  std::map<std::string, TopicGroup, std::less<>> groups;
  for (const Artifact& row : subject.run.artifacts) {
    if (subject.run.text(row.kind) != "program_message") continue;
    TopicGroup& group = groups[std::string(subject.run.text(row.name))];
    if (group.told.empty()) group.told = subject.run.text(row.content);
    // A trace's own messages have no time.
    const int64_t timeNs = std::clamp(row.timeNs, subject.run.startNs, subject.run.endNs);
    group.occurrences.push_back({row.process, row.frameIndex, 0, timeNs, timeNs});
  }
  leaveOutGeneral(groups);
  // Where kernels are recorded, those of warm-up steps are what was dropped.
  if (subject.run.kernelCount() > 0) groups.erase("out_of_range");
  std::vector<Finding> findings;
  for (const TopicWords& words : kWords) {
    const auto group = groups.find(words.topic);
    if (group != groups.end()) findings.push_back(findingOf(words, group->second));
  }
  return findings;
}

}  // namespace jitscope::analyzer
