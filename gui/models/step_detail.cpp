#include "gui/models/step_detail.h"

#include <algorithm>
#include <array>

#include "analyzer/sum.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

using TimeByCategory = std::array<analyzer::Sum, kCategoryCount>;

QString nameOf(Category category) {
  switch (category) {
    case Category::kEager:
      return "eager";
    case Category::kCompiled:
      return "compiled";
    case Category::kReplay:
      return "replay";
    case Category::kLibrary:
      return "library";
    case Category::kBreak:
      return "break";
    case Category::kRecompile:
      return "recompile";
    case Category::kCompilePhase:
      return "compiling";
    case Category::kHost:
      return "other";
  }
  return {};
}

void addRow(const EventRow& row, TimeRange time, bool onlyBreaks, TimeByCategory& sum) {
  const EventColumns& events = row.events();
  const auto [first, last] = row.touching(time);
  if (last - first > kMostEventsAtOnce) return;
  for (size_t i = first; i < last; ++i) {
    if (onlyBreaks && events.category[i] != Category::kBreak) continue;
    sum[static_cast<size_t>(events.category[i])] +=
        std::min(time.endNs, events.endNs[i]) - std::max(time.startNs, events.startNs[i]);
  }
}

/// Time by colour: of kernels, or of outermost operators, if one of them is `work`; and in any case
/// of breaks and compilations.
TimeByCategory timeIn(const Timeline& timeline, TimeRange time, std::optional<RowKind> work) {
  TimeByCategory sum{};
  for (const Lane& lane : timeline.lanes) {
    bool hadOperators = false;
    for (const EventRow& row : lane.rows) {
      if (row.kind() == RowKind::kRegion) addRow(row, time, true, sum);
      if (row.kind() == RowKind::kCompile) addRow(row, time, false, sum);
      if (row.kind() != work) continue;
      if (work == RowKind::kOperator && std::exchange(hadOperators, true)) continue;
      addRow(row, time, false, sum);
    }
  }
  return sum;
}

QString headingOf(std::optional<RowKind> work) {
  if (!work) return "breaks and compilations";
  return *work == RowKind::kKernel ? "kernels" : "operators";
}

DetailSection sectionOf(const Timeline& timeline, const QString& name, TimeRange time) {
  const std::optional<RowKind> work = workOf(timeline);
  const TimeByCategory sum = timeIn(timeline, time, work);
  DetailSection section;
  section.heading = name + ": " + headingOf(work);
  const auto whole = static_cast<double>(std::max<int64_t>(1, time.lengthNs()));
  analyzer::Sum insideNs;
  for (size_t c = 0; c < kCategoryCount; ++c) {
    if (sum[c] <= 0) continue;
    insideNs += sum[c];
    section.bars.push_back({nameOf(static_cast<Category>(c)),
                            std::min(1.0, static_cast<double>(sum[c]) / whole),
                            durationText(sum[c]), static_cast<Category>(c)});
  }
  const int64_t restNs = time.lengthNs() - insideNs;
  // Where no work was recorded, it is not known how much of the rest had none.
  if (restNs > 0 && work) {
    section.bars.push_back(
        {"in between", static_cast<double>(restNs) / whole, durationText(restNs), Category::kHost});
  }
  return section;
}

}  // namespace

Detail stepDetail(const Timeline& timeline, const StepTrack& track, size_t step) {
  Detail detail{track.frame,
                QString("step %1").arg(countText(static_cast<int64_t>(step) + 1)),
                Category::kHost,
                {}};
  if (step >= track.steps.size()) return detail;
  const Step& shown = track.steps[step];
  DetailSection section;
  const auto& eager = shown.eager;
  const auto& compiled = shown.compiled;
  const int64_t longestNs =
      std::max<int64_t>({1, eager ? eager->lengthNs() : 0, compiled ? compiled->lengthNs() : 0});
  const auto addBar = [&](const QString& name, const std::optional<TimeRange>& time,
                          Category category) {
    if (!time) return;
    section.bars.push_back({name,
                            static_cast<double>(time->lengthNs()) / static_cast<double>(longestNs),
                            durationText(time->lengthNs()), category});
  };
  addBar(track.eagerName(), eager, Category::kEager);
  addBar("compiled", compiled, Category::kCompiled);
  if (eager && compiled && eager != compiled) {
    section.prose =
        ratioText(track.eagerName(), eager->lengthNs(), "compiled", compiled->lengthNs());
  }
  detail.sections.push_back(std::move(section));
  const auto addSection = [&](const QString& name, const std::optional<TimeRange>& time) {
    if (!time) return;
    DetailSection parts = sectionOf(timeline, name, *time);
    if (!parts.bars.empty()) detail.sections.push_back(std::move(parts));
  };
  addSection(track.eagerName(), eager);
  addSection("compiled", compiled);
  detail.sections.push_back({"next",
                             {},
                             {},
                             "Click an event, a mark or a finding to see its details here. "
                             "N goes to the next break or recompile, PgUp and PgDn to other steps, "
                             "? lists all keys.",
                             {}});
  return detail;
}

}  // namespace jitscope::gui
