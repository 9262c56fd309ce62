#include "analyzer/diagnoses/cudagraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "analyzer/diagnoses/cudagraph_advice.h"
#include "analyzer/diagnoses/cudagraph_trouble.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/host_gaps.h"
#include "analyzer/frame_name.h"
#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

/// A message with each call of its traceback on a line of its own: some begin behind other words.
std::string tracebackOf(std::string_view message) {
  std::string text(message);
  for (const std::string_view words : {"Found from ", "Stack trace: "}) {
    const size_t at = text.find(words);
    if (at != std::string::npos) text[at + words.size() - 1] = '\n';
  }
  return text;
}

/// The line of code that a traceback shows for a place; empty when it shows none.
std::string codeLineAt(std::string_view traceback, const Place& place) {
  std::string code;
  bool isNext = false;
  forEachLine(traceback, [&](std::string_view line) {
    const std::string_view words = trimmedText(line);
    const std::string frame = stackOfTraceback(words);
    if (isNext && frame.empty()) code = words;
    isNext = !frame.empty() && parseStackLine(frame).file == place.file &&
             parseStackLine(frame).line == place.line;
  });
  // What the message says behind its traceback.
  for (const std::string_view end : {". To prevent", "). "}) {
    const size_t at = code.find(end);
    if (at != std::string::npos) code.resize(at + (end.front() == ')' ? 1 : 0));
  }
  return code;
}

/// Groups what was told of CUDA graphs.
class CudagraphGrouping {
 public:
  explicit CudagraphGrouping(const Run& run) : run_(run) {}

  void add(const Artifact& row) {
    const std::string_view kind = run_.text(row.kind);
    const std::string_view told = run_.text(row.name);
    if (kind == "cudagraph_skip") {
      for (const CudagraphSkip& skip : readCudagraphSkips(told)) group(row, skip);
    } else if (kind == "cudagraph_record") {
      addKey(group(row, {CudagraphTrouble::kRerecorded, {}, {}}), told);
    } else if (kind == "cudagraph_sizes") {
      addSizes(row, told);
    } else if (kind == "cudagraph_overwritten") {
      group(row, {CudagraphTrouble::kOverwritten, {}, {}});
    } else if (kind == "cudagraph_partition") {
      group(row, {CudagraphTrouble::kPartitioned, std::string(told), {}});
    } else if (kind == "cudagraph_pending_backward") {
      group(row, {CudagraphTrouble::kPendingBackward, {}, {}});
    } else if (kind == "cudagraph_capture_failed") {
      group(row, {CudagraphTrouble::kCaptureFailed, std::string(told), {}});
    }
  }

  std::map<std::string, CudagraphGroup> take() {
    // Recording a graph once is what is wanted.
    std::erase_if(groups_, [](const auto& entry) {
      const CudagraphGroup& group = entry.second;
      return group.trouble == CudagraphTrouble::kRerecorded && group.keys.size() < 2 &&
             group.sizeCount < 2;
    });
    return std::move(groups_);
  }

 private:
  void addKey(CudagraphGroup& group, std::string_view told) {
    constexpr std::string_view kWords = "symint key ";
    const std::string_view key = told.starts_with(kWords) ? told.substr(kWords.size()) : told;
    // Other ranks record the same sizes.
    if (knownKeys_[&group].insert(key).second) group.keys.emplace_back(key);
  }

  /// The warning repeats what the recordings tell, where the log has those.
  void addSizes(const Artifact& row, std::string_view told) {
    int64_t count = 0;
    std::from_chars(told.data(), told.data() + told.size(), count);
    CudagraphGroup& sized = group(row, {CudagraphTrouble::kRerecorded, {}, {}});
    sized.sizeCount = std::max(sized.sizeCount, count);
    if (!sized.keys.empty()) sized.occurrences.pop_back();
  }

  CudagraphGroup& group(const Artifact& row, const CudagraphSkip& skip) {
    const std::string traceback = tracebackOf(run_.text(row.content));
    const Place place = userPlace(stackOfTraceback(traceback));
    const bool isOfGraph = row.frame != trace::FrameId::kNone;
    std::string key = fmt::format("cudagraph/{}", name(skip.trouble));
    if (!place.file.empty())
      key += "/" + shortText(place);
    else if (isOfGraph)
      key += "/" + compileId(row.frame, row.attempt);
    if (skip.trouble == CudagraphTrouble::kOtherSkip) key += fmt::format("/{}", skip.reason);
    CudagraphGroup& group = groups_[key];
    group.trouble = skip.trouble;
    if (group.reason.empty()) group.reason = skip.reason;
    if (group.subject.empty()) group.subject = skip.subject;
    group.place = place;
    if (group.codeLine.empty()) group.codeLine = codeLineAt(traceback, place);
    if (isOfGraph) group.graphs.insert(compileId(row.frame, row.attempt));
    group.occurrences.push_back({row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
    return group;
  }

  const Run& run_;
  std::map<std::string, CudagraphGroup> groups_;
  std::map<const CudagraphGroup*, std::set<std::string_view>> knownKeys_;  ///< texts of the run
};

/// What the devices would take if compiled kernels were replayed instead of launched, where the
/// run holds both what was told and what ran.
std::optional<Estimate> replayEstimate(const Run& run) {
  Sum spanNs, gapNs;
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const DeviceUse use = deviceUseOf(run, run.processes.indexAt(p));
    spanNs += use.spanNs;
    for (const HostGap& gap : use.gaps) {
      if (gap.origin == trace::Origin::kCompiled && gap.wait.empty()) gapNs += gap.costNs;
    }
  }
  if (gapNs == 0) return std::nullopt;
  return Estimate{"all device work of the recording", spanNs, spanNs - gapNs,
                  "no kernel of compiled code had to wait for its launch"};
}

bool isSkip(CudagraphTrouble trouble) {
  switch (trouble) {
    case CudagraphTrouble::kRerecorded:
    case CudagraphTrouble::kOverwritten:
    case CudagraphTrouble::kPendingBackward:
    case CudagraphTrouble::kCaptureFailed:
      return false;
    default:
      return true;
  }
}

Finding findingOf(const std::string& key, CudagraphGroup& group) {
  Finding finding;
  finding.kind = FindingKind::kCudagraph;
  finding.causeClass = name(group.trouble);
  finding.id = key;
  finding.advice = adviceOf(group);
  finding.place = group.place;
  const bool isRecording = group.trouble == CudagraphTrouble::kRerecorded;
  setOccurrences(finding, isRecording ? "recordings" : "reports", std::move(group.occurrences),
                 {{"graphs", static_cast<int64_t>(group.graphs.size())}});
  if (isRecording && group.keys.empty()) finding.evidence.front().count = group.sizeCount;
  return finding;
}

}  // namespace

std::vector<Finding> findCudagraphs(const Subject& subject) {
  CudagraphGrouping grouping(subject.run);
  for (const Artifact& row : subject.run.artifacts) grouping.add(row);
  std::vector<Finding> findings;
  std::vector<size_t> skipped;
  for (auto& [key, group] : grouping.take()) {
    findings.push_back(findingOf(key, group));
    if (!isSkip(group.trouble)) continue;
    skipped.push_back(findings.size() - 1);
  }
  if (skipped.empty()) return findings;
  const std::optional<Estimate> estimate = replayEstimate(subject.run);
  for (const size_t at : skipped) findings[at].estimate = estimate;
  return findings;
}

}  // namespace jitscope::analyzer
