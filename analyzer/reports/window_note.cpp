#include "analyzer/reports/window_note.h"

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

std::string windowNote(const Run& run) {
  std::set<std::string> wishes;
  size_t count = 0;
  Sum totalNs, triggers;
  for (const Process& process : run.processes) {
    const auto recorded = trace::recordedWindows(*process.file);
    if (!recorded) continue;
    wishes.insert(recorded->wish);
    count += recorded->windows.size();
    totalNs += recorded->totalNs;
    for (const auto& window : recorded->windows) triggers += window.triggers;
  }
  if (wishes.empty()) return {};
  const std::string asked = wishesText(wishes);
  if (count == 0) return fmt::format("in windows, of which none was reached ({})", asked);
  std::string text = count == 1
                         ? fmt::format("in 1 window of {}", durationText(totalNs))
                         : fmt::format("in {} windows of {} in all", count, durationText(totalNs));
  if (triggers > 0)
    text += fmt::format(", {} trigger{}", int64_t{triggers}, triggers == 1 ? "" : "s");
  return text + fmt::format(" ({})", asked);
}

}  // namespace jitscope::analyzer
