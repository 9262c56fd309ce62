#include "gui/models/range_statistics.h"

#include <algorithm>
#include <map>

namespace jitscope::gui {
namespace {

constexpr size_t kStopCheckEvents = 1 << 16;

/// Rows whose events are not inside other counted events: every kind counts, but of operators only
/// the outermost row, of regions only the gaps of breaks between them.
template <class Visit>
void forEachCountedRow(const Timeline& timeline, Visit visit) {
  for (const Lane& lane : timeline.lanes) {
    bool hadOperators = false;
    for (const EventRow& row : lane.rows) {
      if (row.kind() == RowKind::kCall || row.kind() == RowKind::kApi) continue;
      if (row.kind() == RowKind::kOperator && std::exchange(hadOperators, true)) continue;
      visit(row);
    }
  }
}

class Summing {
 public:
  Summing(const Timeline& timeline, RangeStatistics& result, const std::atomic<bool>* stop)
      : timeline_(timeline), result_(result), stop_(stop) {}

  void addPane(Pane pane) {
    const auto at = static_cast<size_t>(pane);
    if (!result_.range[at]) return;
    forEachCountedRow(timeline_, [&](const EventRow& row) {
      if (row.kind() == result_.work) {
        const RangeSum sum = row.sum(*result_.range[at]);
        result_.busyNs[at] += sum.busyNs;
        result_.workCount[at] += sum.count;
      }
      addRow(row, at);
    });
  }

  void finish() {
    for (auto& [key, line] : lines_) result_.lines.push_back(line);
    const auto weight = [](const RangeLine& line) { return line.in[0].sumNs + line.in[1].sumNs; };
    std::stable_sort(result_.lines.begin(), result_.lines.end(),
                     [&](const RangeLine& a, const RangeLine& b) { return weight(a) > weight(b); });
  }

 private:
  void addRow(const EventRow& row, size_t at) {
    const TimeRange range = *result_.range[at];
    const EventColumns& events = row.events();
    const auto [first, last] = row.touching(range);
    for (size_t i = first; i < last; ++i) {
      if (stop_ && i % kStopCheckEvents == 0 && *stop_) return;
      const Category category = events.category[i];
      if (row.kind() == RowKind::kRegion && category != Category::kBreak) continue;
      RangeLine& line = lines_[{row.kind(), events.name[i]}];
      line.name = events.name[i];
      line.kind = row.kind();
      NameSum& sum = line.in[at];
      ++sum.count;
      sum.sumNs +=
          std::min(range.endNs, events.endNs[i]) - std::max(range.startNs, events.startNs[i]);
      if (at == 0 || line.in[0].sumNs < sum.sumNs) line.category = category;
    }
  }

  const Timeline& timeline_;
  RangeStatistics& result_;
  const std::atomic<bool>* stop_;
  std::map<std::pair<RowKind, NameId>, RangeLine> lines_;
};

}  // namespace

size_t rangeCost(const Timeline& timeline, const RangeStatistics& wanted) {
  size_t cost = 0;
  forEachCountedRow(timeline, [&](const EventRow& row) {
    for (const auto& range : wanted.range) {
      if (!range) continue;
      const auto [first, last] = row.touching(*range);
      cost += last - first;
    }
  });
  return cost;
}

RangeStatistics rangeStatistics(const Timeline& timeline, const RangeStatistics& wanted,
                                const std::atomic<bool>* stop) {
  RangeStatistics result;
  result.range = wanted.range;
  result.work = workOf(timeline);
  Summing summing(timeline, result, stop);
  for (const Pane pane : kPanes) summing.addPane(pane);
  summing.finish();
  return result;
}

}  // namespace jitscope::gui
