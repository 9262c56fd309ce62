#include "analyzer/diagnoses/border_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/op_chain.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;
using trace::Origin;

// Of the time of all kernels: what saves less is not worth a line.
constexpr double kLeastShare = 0.01;

enum class Purpose { kCast, kLayout, kCopy, kGraphInput };

/// What a copy is for, by the outermost operator that makes it.
Purpose purposeOf(std::string_view outermost) {
  constexpr std::array<std::string_view, 5> kCasts{"aten::to", "aten::_to_copy", "aten::type_as",
                                                   "aten::float", "aten::half"};
  constexpr std::array<std::string_view, 3> kLayouts{"aten::contiguous", "aten::clone",
                                                     "aten::reshape"};
  if (std::find(kCasts.begin(), kCasts.end(), outermost) != kCasts.end()) return Purpose::kCast;
  if (std::find(kLayouts.begin(), kLayouts.end(), outermost) != kLayouts.end())
    return Purpose::kLayout;
  return Purpose::kCopy;
}

/// Copies of one operator on one side of one compiled function, over all repeats.
struct CopyGroup {
  Purpose purpose = Purpose::kCopy;
  std::string what;   ///< the operator
  std::string where;  ///< "in front of", "behind", "between"
  std::string frame;  ///< name of the compiled function; may be empty
  Cost cost;
  std::vector<Occurrence> occurrences;
};

/// Looks through the kernels of one process.
class CopyFinder {
 public:
  CopyFinder(const Run& run, ProcessIndex index, std::map<std::string, CopyGroup>& groups)
      : run_(run), index_(index), process_(run.processes[index]), groups_(groups) {
    for (const Lane& lane : run.lanes) {
      if (lane.process == index) chains_.emplace(lane.thread, OpChain(run, lane));
    }
  }

  /// Gives the time of all kernels.
  int64_t find() {
    Sum totalNs;
    std::map<std::pair<int64_t, int64_t>, std::vector<DeviceWork>> streams;
    for (const DeviceWork& work : deviceWorkOf(process_)) {
      if (!exists(work.kernel)) continue;
      totalNs += work.endNs - work.startNs;
      streams[{work.device, work.stream}].push_back(work);
    }
    for (const auto& [stream, works] : streams) findIn(works);
    return totalNs;
  }

 private:
  void findIn(const std::vector<DeviceWork>& works) {
    // Copies in a row stand at the same border.
    for (size_t begin = 0; begin < works.size();) {
      if (!isCopy(works[begin])) {
        ++begin;
        continue;
      }
      size_t end = begin;
      while (end < works.size() && isCopy(works[end])) ++end;
      const DeviceWork* const before = begin == 0 ? nullptr : &works[begin - 1];
      const DeviceWork* const after = end == works.size() ? nullptr : &works[end];
      for (size_t i = begin; i < end; ++i) add(works[i], before, after);
      begin = end;
    }
  }

  bool isCopy(const DeviceWork& work) const {
    const OpIndex op = process_.kernelOps[position(work.kernel)];
    if (!exists(op) || process_.originOf(work.kernel) == Origin::kReplay) return false;
    const std::string_view name = run_.text(process_.ops.get<&trace::OpRow::name>(position(op)));
    return name == "aten::copy_" || name == "aten::_foreach_copy_";
  }

  bool isOf(const DeviceWork* work, Origin origin) const {
    return work != nullptr && process_.originOf(work->kernel) == origin;
  }

  void add(const DeviceWork& copy, const DeviceWork* before, const DeviceWork* after) {
    // Inside of compiled code only what feeds a replay is no part of the compiled graph.
    const bool isEager = process_.originOf(copy.kernel) == Origin::kEager;
    const auto isBorder = [&](const DeviceWork* work) {
      return isOf(work, Origin::kReplay) || (isEager && isOf(work, Origin::kCompiled));
    };
    const bool feeds = isBorder(after), follows = isEager && isBorder(before);
    if (!feeds && !follows) return;
    const DeviceWork& neighbour = feeds ? *after : *before;
    const std::string operatorName(outermostOf(copy));
    const std::string frame = frameOf(neighbour);
    const char* const where = feeds && follows ? "between" : feeds ? "in front of" : "behind";
    CopyGroup& group = groups_[fmt::format("{}/{}/{}", operatorName, where, frame)];
    group.purpose = purposeOf(operatorName);
    if (feeds && isOf(after, Origin::kReplay)) group.purpose = Purpose::kGraphInput;
    group.what = operatorName;
    group.where = where;
    group.frame = frame;
    const int64_t bytes = process_.kernels.get<&KernelRow::modelledBytes>(position(copy.kernel));
    group.cost += {copy.endNs - copy.startNs, 1, summable(bytes)};
    group.occurrences.push_back({index_, FrameIndex::kNone, 0, copy.startNs, copy.endNs});
  }

  /// `aten::to` of aten::to → aten::_to_copy → aten::copy_.
  std::string_view outermostOf(const DeviceWork& work) const {
    const OpIndex op = process_.kernelOps[position(work.kernel)];
    const auto chain = chains_.find(process_.ops.get<&trace::OpRow::thread>(position(op)));
    const std::string_view name =
        chain == chains_.end()
            ? std::string_view()
            : chain->second.outermostLike(process_.ops.get<&trace::OpRow::startNs>(position(op)),
                                          "aten::");
    return name.empty() ? run_.text(process_.ops.get<&trace::OpRow::name>(position(op))) : name;
  }

  std::string frameOf(const DeviceWork& work) const {
    const PieceIndex piece = process_.kernelPieces[position(work.kernel)];
    if (!exists(piece) || !exists(process_.pieces[piece].region)) return {};
    const FrameIndex frame = run_.regions[process_.pieces[piece].region].frameIndex;
    return exists(frame) ? frameName(run_, frame) : std::string();
  }

  const Run& run_;
  ProcessIndex index_;
  const Process& process_;
  std::map<std::string, CopyGroup>& groups_;
  std::map<int64_t, OpChain> chains_;
};

std::string fixOf(const CopyGroup& group, Language language) {
  const bool isCpp = language == Language::kCpp;
  switch (group.purpose) {
    case Purpose::kCast:
      return "convert inside of the compiled function, where the cast is fused into the kernel "
             "that "
             "uses it, or keep the tensor in the type that both sides compute in";
    case Purpose::kLayout:
      return "let both sides use one layout (contiguous or channels_last), or move contiguous() "
             "into the compiled function, where it is fused or dropped";
    case Purpose::kGraphInput:
      return isCpp ? "write new inputs straight into the tensors that were captured, instead of "
                     "copying them there"
                   : "a replayed graph reads its inputs from fixed addresses, so every other input "
                     "is copied there: keep inputs in the same memory and mark them with "
                     "torch._dynamo.mark_static_address, or make them parameters or buffers";
    case Purpose::kCopy:
      return "let the compiled function return (or take) the tensor as it is needed, and drop the "
             "copy";
  }
  return {};
}

std::string_view purposeName(Purpose purpose) {
  switch (purpose) {
    case Purpose::kCast:
      return "cast";
    case Purpose::kLayout:
      return "change of layout";
    case Purpose::kCopy:
      return "copy";
    case Purpose::kGraphInput:
      return "copy of a CUDA graph's input";
  }
  return "";
}

Finding findingOf(const Run& run, const std::string& key, CopyGroup& group, int64_t totalNs) {
  const Language language = languageOf(run, group.occurrences.front().process, FrameIndex::kNone);
  const std::string code =
      group.frame.empty() ? "compiled code" : fmt::format("the compiled {}", group.frame);
  Finding finding;
  finding.kind = FindingKind::kMemoryTraffic;
  finding.causeClass = "border_copy";
  finding.id = "memory_traffic/border_copy/" + key;
  finding.advice.title = fmt::format("{} at the border of compiled code: {} {} {}",
                                     purposeName(group.purpose), group.what, group.where, code);
  finding.advice.cause = fmt::format(
      "{} kernels of {} run by themselves {} {}; each reads and writes a whole tensor only to "
      "change how it is stored",
      countText(static_cast<int64_t>(group.occurrences.size())), group.what, group.where, code);
  finding.advice.fix = fixOf(group, language);
  finding.advice.certainty = Certainty::kLikely;
  finding.cost = group.cost;
  finding.estimate =
      Estimate{"all kernels of the recording", totalNs,
               std::max<int64_t>(0, totalNs - group.cost.timeNs), "these copies were not needed"};
  setOccurrences(finding, "copies", std::move(group.occurrences));
  return finding;
}

}  // namespace

std::vector<Finding> findBorderCopies(const Subject& subject) {
  const Run& run = subject.run;
  std::map<std::string, CopyGroup> groups;
  Sum totalNs;
  for (size_t p = 0; p < run.processes.size(); ++p)
    totalNs += CopyFinder(run, run.processes.indexAt(p), groups).find();
  const double leastNs = kLeastShare * static_cast<double>(totalNs);
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    if (static_cast<double>(group.cost.timeNs) >= leastNs)
      findings.push_back(findingOf(run, key, group, totalNs));
  }
  return findings;
}

}  // namespace jitscope::analyzer
