#include "analyzer/frame_summary.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "analyzer/place.h"

namespace jitscope::analyzer {
namespace {

using trace::CallOutcome;

bool isEager(CallOutcome outcome) {
  return outcome == CallOutcome::kForcedEager || outcome == CallOutcome::kLimit;
}

/// The calls of one frame by how they were served.
struct CallLists {
  std::vector<CallIndex> compiled, compiling, eager;
};

CallTimes timesOf(const Run& run, std::vector<CallIndex>& calls) {
  CallTimes times;
  for (const CallIndex index : calls) {
    const Call& call = run.calls[index];
    ++times.count;
    times.totalNs += call.durationNs();
    times.opCount += call.opCount;
    times.opNs += call.opNs;
  }
  if (calls.empty()) return times;
  const auto middle = calls.begin() + static_cast<std::ptrdiff_t>(calls.size() / 2);
  std::nth_element(calls.begin(), middle, calls.end(), [&](CallIndex a, CallIndex b) {
    return std::pair(run.calls[a].durationNs(), a) < std::pair(run.calls[b].durationNs(), b);
  });
  times.typical = *middle;
  times.medianNs = run.calls[*middle].durationNs();
  return times;
}

void addCompiles(const Run& run, std::vector<FrameSummary>& frames) {
  for (const Compile& compile : run.compiles) {
    FrameSummary& frame = frames[position(compile.frameIndex)];
    ++frame.compileCount;
    if (compile.attempt > trace::AttemptId{0}) ++frame.recompileCount;
    frame.compileNs += compile.costNs();
  }
}

/// Breaks are different by what broke and where in the user's code, whoever called it.
void addBreaks(const Run& run, std::vector<FrameSummary>& frames) {
  std::set<std::tuple<FrameIndex, std::string, trace::StringId, trace::StringId>> different;
  std::map<trace::StringId, std::string> places;  // there may be a row for every call
  for (const Break& row : run.breaks) {
    FrameSummary& frame = frames[position(row.frameIndex)];
    const auto [place, isNew] = places.try_emplace(row.stack);
    if (isNew) place->second = fullText(userPlace(run.text(row.stack)));
    const bool isFirst =
        different.emplace(row.frameIndex, place->second, row.reason, row.op).second;
    if (isFirst) ++frame.breakCount;
    if (row.isFirst == 0) frame.breakNs += row.endNs - row.startNs;
  }
}

}  // namespace

bool isPlainEager(const Run& run, const Call& call) {
  return isEager(call.outcome) && call.durationNs() > 0 &&
         (!exists(call.parent) || isEager(run.calls[call.parent].outcome));
}

double CallTimes::opsPerCall() const {
  return count == 0 ? 0 : static_cast<double>(opCount) / static_cast<double>(count);
}

std::optional<double> FrameSummary::speedup() const {
  if (eager.count == 0 || compiled.count == 0 || compiled.medianNs == 0) return std::nullopt;
  return static_cast<double>(eager.medianNs) / static_cast<double>(compiled.medianNs);
}

std::vector<FrameSummary> summarizeFrames(const Run& run) {
  std::vector<FrameSummary> frames(run.frames.size());
  std::vector<CallLists> lists(run.frames.size());
  for (size_t i = 0; i < frames.size(); ++i) frames[i].frame = run.frames.indexAt(i);
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const CallIndex index = run.calls.indexAt(i);
    const Call& call = run.calls[index];
    FrameSummary& frame = frames[position(call.frameIndex)];
    CallLists& list = lists[position(call.frameIndex)];
    ++frame.callCount;
    frame.guardNs += call.guardNs;
    if (call.outcome == CallOutcome::kFailed) ++frame.failedCount;
    if (call.outcome == CallOutcome::kLimit) ++frame.limitCount;
    if (call.outcome == CallOutcome::kHit) list.compiled.push_back(index);
    if (call.outcome == CallOutcome::kCompiled) list.compiling.push_back(index);
    if (isPlainEager(run, call)) list.eager.push_back(index);
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    frames[i].compiled = timesOf(run, lists[i].compiled);
    frames[i].compiling = timesOf(run, lists[i].compiling);
    frames[i].eager = timesOf(run, lists[i].eager);
  }
  addCompiles(run, frames);
  addBreaks(run, frames);
  return frames;
}

}  // namespace jitscope::analyzer
