#include "analyzer/diagnoses/cudagraph.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

enum class Trouble { kMutatedInput, kHostDevice, kOtherSkip, kRerecorded, kOverwritten };

std::string_view name(Trouble trouble) {
  switch (trouble) {
    case Trouble::kMutatedInput:
      return "mutated_input";
    case Trouble::kHostDevice:
      return "cpu_device";
    case Trouble::kOtherSkip:
      return "skipped";
    case Trouble::kRerecorded:
      return "rerecorded";
    case Trouble::kOverwritten:
      return "overwritten_output";
  }
  return "";
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Trouble skipTrouble(std::string_view reason) {
  if (contains(reason, "mutated")) return Trouble::kMutatedInput;
  if (contains(reason, "cpu device") || contains(reason, "non-cuda")) return Trouble::kHostDevice;
  return Trouble::kOtherSkip;
}

/// One reason at one place.
struct CudagraphGroup {
  Trouble trouble = Trouble::kOtherSkip;
  std::string reason;
  Place place;
  std::set<std::string> graphs;   ///< compile ids
  std::vector<std::string> keys;  ///< sizes that were recorded, in their order
  std::vector<Occurrence> occurrences;
};

/// Groups what was told of CUDA graphs.
class CudagraphGrouping {
 public:
  explicit CudagraphGrouping(const Run& run) : run_(run) {}

  void add(const Artifact& row) {
    const std::string_view kind = run_.text(row.kind);
    const std::string_view told = run_.text(row.name);
    if (kind == "cudagraph_skip") {
      group(row, skipTrouble(told), told);
    } else if (kind == "cudagraph_record") {
      group(row, Trouble::kRerecorded, {}).keys.emplace_back(told.substr(told.rfind(' ') + 1));
    } else if (kind == "cudagraph_overwritten") {
      group(row, Trouble::kOverwritten, {});
    }
  }

  std::map<std::string, CudagraphGroup> take() {
    // Recording a graph once is what is wanted.
    std::erase_if(groups_, [](const auto& entry) {
      return entry.second.trouble == Trouble::kRerecorded && entry.second.keys.size() < 2;
    });
    return std::move(groups_);
  }

 private:
  CudagraphGroup& group(const Artifact& row, Trouble trouble, std::string_view reason) {
    const Place place = userPlace(stackOfTraceback(run_.text(row.content)));
    const bool isOfGraph = row.frame != trace::FrameId::kNone;
    std::string key = fmt::format("cudagraph/{}", name(trouble));
    if (!place.file.empty())
      key += "/" + shortText(place);
    else if (isOfGraph)
      key += "/" + compileId(row.frame, row.attempt);
    if (trouble == Trouble::kOtherSkip) key += fmt::format("/{}", reason);
    CudagraphGroup& group = groups_[key];
    group.trouble = trouble;
    if (group.reason.empty()) group.reason = reason;
    group.place = place;
    if (isOfGraph) group.graphs.insert(compileId(row.frame, row.attempt));
    group.occurrences.push_back({row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
    return group;
  }

  const Run& run_;
  std::map<std::string, CudagraphGroup> groups_;
};

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

std::string skipCause(const CudagraphGroup& group) {
  std::string text = fmt::format(
      "the compiler gave up CUDA graphs for {}: {}",
      group.graphs.empty() ? "a graph that the log does not name" : "graph " + joined(group.graphs),
      group.reason);
  if (group.place.file.empty())
    text += "; which line does it is not in this log (newer torch says \"Found from\")";
  return text;
}

Advice adviceOf(const CudagraphGroup& group) {
  Advice advice;
  switch (group.trouble) {
    case Trouble::kMutatedInput:
      advice.title = "CUDA graph skipped: an input is mutated in place";
      advice.cause = skipCause(group);
      advice.fix =
          "return the new value instead of writing into the input, or make the mutated tensor a "
          "parameter or buffer with a fixed address (torch._dynamo.mark_static_address)";
      break;
    case Trouble::kHostDevice:
      advice.title = "CUDA graph skipped: a tensor is on the CPU";
      advice.cause = skipCause(group);
      advice.fix =
          "move the tensor to the GPU before the call, and make constants on the device "
          "(torch.tensor(…, device=x.device))";
      break;
    case Trouble::kOtherSkip:
      advice.title = fmt::format("CUDA graph skipped: {}", group.reason);
      advice.cause = skipCause(group);
      advice.fix = "TORCH_LOGS=\"perf_hints,cudagraphs\" shows where the graph comes from";
      break;
    case Trouble::kRerecorded:
      advice.title =
          fmt::format("CUDA graph recorded again for each size: {} recordings", group.keys.size());
      advice.cause = fmt::format("graph {} is recorded for each input size; the sizes were {}",
                                 joined(group.graphs), joined(group.keys));
      advice.fix =
          "pad the input to a few fixed sizes, or mark the size static and warm those up; "
          "torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True turns such graphs "
          "off, but some versions record graphs with static outputs all the same";
      break;
    case Trouble::kOverwritten:
      advice.title = "CUDA graph output read after it was overwritten";
      advice.cause =
          "a tensor that a CUDA graph returned was used after the next run had written into the "
          "same memory";
      advice.fix =
          "clone() the output before the next call; torch.compiler.cudagraph_mark_step_begin() "
          "marks iterations but does not protect old outputs";
      break;
  }
  return advice;
}

}  // namespace

std::vector<Finding> findCudagraphs(const Subject& subject) {
  CudagraphGrouping grouping(subject.run);
  for (const Artifact& row : subject.run.artifacts) grouping.add(row);
  std::vector<Finding> findings;
  for (auto& [key, group] : grouping.take()) {
    Finding finding;
    finding.kind = FindingKind::kCudagraph;
    finding.causeClass = name(group.trouble);
    finding.id = key;
    finding.advice = adviceOf(group);
    finding.place = group.place;
    setOccurrences(finding, group.trouble == Trouble::kRerecorded ? "recordings" : "reports",
                   std::move(group.occurrences),
                   {{"graphs", static_cast<int64_t>(group.graphs.size())}});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
