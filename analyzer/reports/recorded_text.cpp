#include "analyzer/reports/recorded_text.h"

#include <fmt/format.h>

#include <set>

#include "analyzer/sum.h"
#include "analyzer/units.h"
#include "trace/recorded_windows.h"

namespace jitscope::analyzer {
namespace {

std::string wishesText(const std::set<std::string>& wishes) {
  std::string text;
  for (const std::string& wish : wishes) text += (text.empty() ? "" : "; ") + wish;
  return text;
}

}  // namespace

std::string recordedText(const Run& run) {
  const std::string length = durationText(run.endNs - run.startNs);
  std::set<std::string> wishes;
  size_t count = 0, windowed = 0;
  Sum totalNs, triggers;
  for (const Process& process : run.processes) {
    const auto recorded = trace::recordedWindows(*process.file);
    if (!recorded) continue;
    ++windowed;
    wishes.insert(recorded->wish);
    count += recorded->windows.size();
    totalNs += recorded->totalNs;
    for (const auto& window : recorded->windows) triggers += window.triggers;
  }
  if (wishes.empty()) return length + " recorded";
  const std::string asked = wishesText(wishes);
  if (count == 0 && windowed < run.processes.size())
    return fmt::format("{} recorded, but no window was reached ({})", length, asked);
  if (count == 0) return fmt::format("no window was reached ({}) in {}", asked, length);
  std::string text =
      count == 1 ? fmt::format("{} recorded in 1 window of {}", length, durationText(totalNs))
                 : fmt::format("{} recorded in {} windows of {} in all", length, count,
                               durationText(totalNs));
  if (triggers > 0)
    text += fmt::format(", {} trigger{}", int64_t{triggers}, triggers == 1 ? "" : "s");
  return text + fmt::format(" ({})", asked);
}

}  // namespace jitscope::analyzer
