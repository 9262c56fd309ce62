#include "analyzer/diagnoses/device_work.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

using trace::CorrelationId;

void addKernels(const Process& process, std::vector<DeviceWork>& work) {
  using trace::KernelRow;
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const int64_t startNs = process.kernels.get<&KernelRow::startNs>(i);
    const int64_t endNs = process.kernels.get<&KernelRow::endNs>(i);
    if (!isValidSpan(startNs, endNs)) continue;
    work.push_back({startNs, endNs, process.kernels.get<&KernelRow::device>(i),
                    process.kernels.get<&KernelRow::stream>(i),
                    process.kernels.get<&KernelRow::correlation>(i), static_cast<KernelIndex>(i)});
  }
}

template <class Row>
void addRows(const Process& process, std::vector<DeviceWork>& work) {
  for (const Row& row : process.rows<Row>()) {
    if (!isValidSpan(row.startNs, row.endNs)) continue;
    work.push_back({row.startNs, row.endNs, row.device, row.stream, row.correlation});
  }
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::vector<DeviceWork> deviceWorkOf(const Process& process) {
  std::vector<DeviceWork> work;
  addKernels(process, work);
  addRows<trace::MemcpyRow>(process, work);
  addRows<trace::MemsetRow>(process, work);
  std::sort(work.begin(), work.end(), [](const DeviceWork& a, const DeviceWork& b) {
    return std::tuple(a.device, a.startNs, a.endNs) < std::tuple(b.device, b.startNs, b.endNs);
  });
  return work;
}

ApiCalls::ApiCalls(const Process& process) : calls_(process.rows<trace::ApiRow>()) {
  std::erase_if(calls_, [](const auto& call) { return !isValidSpan(call.startNs, call.endNs); });
  std::stable_sort(calls_.begin(), calls_.end(),
                   [](const auto& a, const auto& b) { return a.correlation < b.correlation; });
}

const trace::ApiRow* ApiCalls::find(CorrelationId correlation) const {
  if (correlation == CorrelationId::kNone) return nullptr;
  const auto found = std::lower_bound(
      calls_.begin(), calls_.end(), correlation,
      [](const trace::ApiRow& call, CorrelationId wanted) { return call.correlation < wanted; });
  return found == calls_.end() || found->correlation != correlation ? nullptr : &*found;
}

bool isLaunch(std::string_view api) {
  const bool isWork = contains(api, "Kernel") || contains(api, "Graph");
  return isWork && contains(api, "Launch");
}

bool isCollective(std::string_view kernel) {
  return contains(kernel, "nccl") || contains(kernel, "rccl");
}

bool isSynchronization(std::string_view api) {
  // A copy without Async waits too, but small ones to the device return before they are done.
  constexpr std::array<std::string_view, 4> kNames{"StreamSynchronize", "DeviceSynchronize",
                                                   "EventSynchronize", "CtxSynchronize"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return contains(api, name); });
}

int64_t BusyTime::add(const DeviceWork& work) {
  const int64_t idleNs = isEmpty_ ? 0 : std::max<int64_t>(0, work.startNs - endNs_);
  const int64_t fromNs = isEmpty_ ? work.startNs : std::max(work.startNs, endNs_);
  busyNs_ += std::max<int64_t>(0, work.endNs - fromNs);
  endNs_ = isEmpty_ ? work.endNs : std::max(endNs_, work.endNs);
  isEmpty_ = false;
  return idleNs;
}

}  // namespace jitscope::analyzer
