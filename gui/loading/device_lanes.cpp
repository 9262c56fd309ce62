#include "gui/loading/device_lanes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

/// Device and stream.
using StreamKey = std::pair<int64_t, int64_t>;

struct StreamEvents {
  std::vector<Event> kernels;
  std::vector<Event> copies;
};

QString copyName(trace::CopyKind kind) {
  switch (kind) {
    case trace::CopyKind::kHostToDevice:
      return "copy to device";
    case trace::CopyKind::kDeviceToHost:
      return "copy to host";
    case trace::CopyKind::kDeviceToDevice:
      return "copy on device";
    case trace::CopyKind::kHostToHost:
      return "copy on host";
    case trace::CopyKind::kPeer:
      return "copy to another device";
    default:
      return "copy";
  }
}

Category categoryOf(const analyzer::Process& process, size_t row, NameTable& names, NameId name) {
  switch (process.originOf(static_cast<analyzer::KernelIndex>(row))) {
    case trace::Origin::kCompiled:
      return names.isLibrary(name) ? Category::kLibrary : Category::kCompiled;
    case trace::Origin::kReplay:
      return Category::kReplay;
    default:
      return names.isLibrary(name) ? Category::kLibrary : Category::kEager;
  }
}

void addKernels(const analyzer::Run& run, const analyzer::Process& process, NameTable& names,
                std::map<StreamKey, StreamEvents>& streams) {
  const auto& kernels = process.kernels;
  for (size_t row = 0; row < kernels.size(); ++row) {
    const TimeRange time{kernels.get<&trace::KernelRow::startNs>(row),
                         kernels.get<&trace::KernelRow::endNs>(row)};
    if (!isPlausible(run, time)) continue;
    const NameId name = names.idOf(kernels.get<&trace::KernelRow::name>(row));
    streams[{kernels.get<&trace::KernelRow::device>(row),
             kernels.get<&trace::KernelRow::stream>(row)}]
        .kernels.push_back(
            {time, name, static_cast<SourceRow>(row), categoryOf(process, row, names, name)});
  }
}

/// Rows of one table, copies or sets of memory, whose names `nameOf` gives.
template <class Row, class NameOf>
void addCopies(const analyzer::Run& run, const analyzer::Process& process, uint32_t tableBit,
               NameOf nameOf, std::map<StreamKey, StreamEvents>& streams) {
  uint32_t next = 0;
  for (const Row& row : process.rows<Row>()) {
    const auto source = static_cast<SourceRow>(tableBit | next++);
    const TimeRange time{row.startNs, row.endNs};
    if (!isPlausible(run, time)) continue;
    streams[{row.device, row.stream}].copies.push_back(
        {time, nameOf(row), source, Category::kHost});
  }
}

/// Whether a double from a file is a number of bytes, as large as one can be.
bool isAmount(double bytes) { return bytes >= 0 && bytes < 9e18; }

/// The counters of one device that are memory traffic, in the order in which they are stacked.
Lane trafficLane(const analyzer::Run& run, const std::vector<trace::CounterRow>& rows,
                 int64_t device) {
  std::map<bool, std::vector<CounterSample>> byDirection;
  for (const trace::CounterRow& row : rows) {
    const std::string_view metric = run.text(row.metric);
    const bool isWrite = metric.find("write") != std::string_view::npos;
    if (row.device != device || row.endNs == row.startNs) continue;
    if (!isPlausible(run, {row.startNs, row.endNs})) continue;
    if (!metric.starts_with("dram_")) continue;
    if (!isWrite && metric.find("read") == std::string_view::npos) continue;
    auto& samples = byDirection[isWrite];
    // A sampler restarts now and then; what would overlap is left out.
    if (!samples.empty() && row.startNs < samples.back().time.endNs) continue;
    const double perSecond = row.value * 1e9 / static_cast<double>(row.endNs - row.startNs);
    if (!isAmount(perSecond)) continue;
    samples.push_back({{row.startNs, row.endNs}, perSecond});
  }
  Lane lane{LaneKind::kCounter, "DRAM", {}, {}, {}, 0};
  for (const bool isWrite : {true, false}) {
    if (byDirection[isWrite].empty()) continue;
    CounterRow row(std::move(byDirection[isWrite]));
    lane.counterTop += row.peak();
    lane.counters.push_back({isWrite ? "written" : "read", std::move(row),
                             isWrite ? CounterKind::kWrite : CounterKind::kRead});
  }
  return lane;
}

void addTraffic(const analyzer::Run& run, const analyzer::Process& process, LaneSource source,
                std::vector<SourcedLane>& lanes) {
  auto rows = process.rows<trace::CounterRow>();
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.startNs < b.startNs; });
  std::map<int64_t, double> peaks;
  for (const trace::CounterRow& row : rows) peaks[row.device];
  for (const trace::DeviceRow& device : process.rows<trace::DeviceRow>()) {
    peaks[device.device] = isAmount(device.peakBytesPerSecond) ? device.peakBytesPerSecond : 0;
  }
  for (const auto& [device, peak] : peaks) {
    Lane lane = trafficLane(run, rows, device);
    if (lane.counters.empty()) continue;
    if (peaks.size() > 1) lane.title += QString(" %1").arg(device);
    lane.counterTop = std::max(lane.counterTop, peak);
    lane.counterTop = std::min(lane.counterTop, 9e18);
    lane.subtitle = bytesText(static_cast<int64_t>(lane.counterTop)) + "/s";
    lanes.push_back({std::move(lane), source});
  }
}

}  // namespace

std::vector<SourcedLane> deviceLanes(const analyzer::Run& run, analyzer::ProcessIndex index,
                                     NameTable& names) {
  const analyzer::Process& process = run.processes[index];
  std::map<StreamKey, StreamEvents> streams;
  addKernels(run, process, names, streams);
  addCopies<trace::MemcpyRow>(
      run, process, 0, [&](const auto& copy) { return names.idOf(copyName(copy.kind)); }, streams);
  addCopies<trace::MemsetRow>(
      run, process, kMemsetBit, [&](const auto&) { return names.idOf("set memory"); }, streams);
  std::vector<SourcedLane> lanes;
  for (auto& [key, events] : streams) {
    Lane lane{LaneKind::kStream, QString("stream %1").arg(key.second), {}, {}, {}, 0};
    lane.subtitle = QString("device %1").arg(key.first);
    for (EventColumns& columns : spreadRows(std::move(events.kernels))) {
      lane.rows.emplace_back(RowKind::kKernel, std::move(columns));
    }
    for (EventColumns& columns : spreadRows(std::move(events.copies))) {
      lane.rows.emplace_back(RowKind::kCopy, std::move(columns));
    }
    lanes.push_back({std::move(lane), {index, 0}});
  }
  addTraffic(run, process, {index, 0}, lanes);
  return lanes;
}

}  // namespace jitscope::gui
