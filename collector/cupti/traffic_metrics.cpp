#include "collector/cupti/traffic_metrics.h"

#include "collector/cupti/counter_source.h"

namespace jitscope::collector {
namespace {

// Those of device memory first.
constexpr TrafficMetric kMetrics[] = {{"dram__bytes_read.sum", "dram_read_bytes"},
                                      {"dram__bytes_write.sum", "dram_write_bytes"},
                                      {"lts__t_bytes.sum", "l2_bytes"},
                                      {"sm__cycles_active.avg", "sm_active_cycles"},
                                      {"pcie__read_bytes.sum", "pcie_read_bytes"},
                                      {"pcie__write_bytes.sum", "pcie_write_bytes"},
                                      {"nvlrx__bytes.sum", "nvlink_received_bytes"},
                                      {"nvltx__bytes.sum", "nvlink_sent_bytes"}};
static_assert(std::size(kMetrics) <= CounterSample::kMostCounters);

}  // namespace

std::span<const TrafficMetric> allTrafficMetrics() { return kMetrics; }
std::span<const TrafficMetric> memoryTrafficMetrics() { return std::span(kMetrics).first(2); }

CounterConfig::CounterConfig(const ProfilerApi& api, std::span<const TrafficMetric> metrics)
    : api_(&api), metrics_(metrics) {
  for (const TrafficMetric& metric : metrics) names_.push_back(metric.cuptiName);
}

std::vector<std::string> CounterConfig::traceNames() const {
  std::vector<std::string> names;
  for (const TrafficMetric& metric : metrics_) names.emplace_back(metric.traceName);
  return names;
}

trace::Result<CounterConfig> CounterConfig::create(const ProfilerApi& api, const char* chip,
                                                   const uint8_t* availability,
                                                   std::span<const TrafficMetric> metrics,
                                                   CUpti_ProfilerType type) {
  CounterConfig config(api, metrics);
  CUptiResult result = CUPTI_SUCCESS;
  if (const char* call = config.build(chip, availability, type, result)) {
    return trace::Error{std::string(call) + " answers " + std::to_string(result) + " for " + chip};
  }
  if (config.passes_ != 1) {
    return trace::Error{std::string(chip) + " would need " + std::to_string(config.passes_) +
                        " passes to count them"};
  }
  return config;
}

const char* CounterConfig::build(const char* chip, const uint8_t* availability,
                                 CUpti_ProfilerType type, CUptiResult& result) {
  CUpti_Profiler_Host_Initialize_Params begin{CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
  begin.profilerType = type;
  begin.pChipName = chip;
  begin.pCounterAvailabilityImage = availability;
  result = api_->hostInitialize(&begin);
  if (result != CUPTI_SUCCESS) return "cuptiProfilerHostInitialize";
  host_ = {begin.pHostObject, [api = api_](CUpti_Profiler_Host_Object* host) {
             CUpti_Profiler_Host_Deinitialize_Params end{
                 CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
             end.pHostObject = host;
             api->hostDeinitialize(&end);
           }};

  CUpti_Profiler_Host_ConfigAddMetrics_Params add{
      CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
  add.pHostObject = host();
  add.ppMetricNames = names_.data();
  add.numMetrics = names_.size();
  result = api_->addMetrics(&add);
  if (result != CUPTI_SUCCESS) return "cuptiProfilerHostConfigAddMetrics";

  CUpti_Profiler_Host_GetConfigImageSize_Params size{
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
  size.pHostObject = host();
  result = api_->getConfigSize(&size);
  if (result != CUPTI_SUCCESS) return "cuptiProfilerHostGetConfigImageSize";

  image_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params get{
      CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
  get.pHostObject = host();
  get.configImageSize = image_.size();
  get.pConfigImage = image_.data();
  result = api_->getConfig(&get);
  if (result != CUPTI_SUCCESS) return "cuptiProfilerHostGetConfigImage";

  CUpti_Profiler_Host_GetNumOfPasses_Params passes{
      CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
  passes.configImageSize = image_.size();
  passes.pConfigImage = image_.data();
  result = api_->getPassCount(&passes);
  if (result != CUPTI_SUCCESS) return "cuptiProfilerHostGetNumOfPasses";
  passes_ = passes.numOfPasses;
  return nullptr;
}

}  // namespace jitscope::collector
