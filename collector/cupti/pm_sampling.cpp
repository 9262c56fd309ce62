#include "collector/cupti/pm_sampling.h"

#include <algorithm>
#include <mutex>

#include "collector/cupti/counter_refusal.h"

namespace jitscope::collector {
namespace {

constexpr size_t kHardwareBufferBytes = size_t{64} << 20;
/// Eight times what comes between two readings: once an image is full, samples are lost without a
/// word, and the next readings lag behind.
constexpr uint32_t kMostSamples = 2048;

/// CUPTI counts neither how often it is initialised nor how often it is not.
CUptiResult initializeOnce(const ProfilerApi& api) {
  static std::once_flag once;
  static CUptiResult result = CUPTI_SUCCESS;
  std::call_once(once, [&] {
    CUpti_Profiler_Initialize_Params begin{CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    result = api.initialize(&begin);
  });
  return result;
}

}  // namespace

trace::Result<void> PmSampling::configure(uint32_t device) {
  if (const CUptiResult result = initializeOnce(api_); result != CUPTI_SUCCESS) {
    return trace::Error{describeRefusal(result)};
  }
  CUpti_Device_GetChipName_Params chip{CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  chip.deviceIndex = device;
  if (const CUptiResult result = api_.getChipName(&chip); result != CUPTI_SUCCESS) {
    return trace::Error{describeRefusal(result)};
  }
  CUpti_PmSampling_GetCounterAvailability_Params available{
      CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE};
  available.deviceIndex = device;
  // Once for the size, once for the image.
  for (int round = 0; round < 2; ++round) {
    if (const CUptiResult result = api_.getAvailability(&available); result != CUPTI_SUCCESS) {
      return trace::Error{describeRefusal(result)};
    }
    availability_.resize(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability_.data();
  }
  const auto prepare = [&](std::span<const TrafficMetric> metrics) {
    return CounterConfig::create(api_, chip.pChipName, availability_.data(), metrics);
  };
  auto everything = prepare(allTrafficMetrics());
  auto config = everything ? std::move(everything) : prepare(memoryTrafficMetrics());
  if (!config) return config.error();
  config_.emplace(std::move(*config));
  return {};
}

CUptiResult PmSampling::enable(uint32_t device) {
  CUpti_PmSampling_Enable_Params enable{CUpti_PmSampling_Enable_Params_STRUCT_SIZE};
  enable.deviceIndex = device;
  if (const CUptiResult result = api_.enable(&enable); result != CUPTI_SUCCESS) return result;
  object_ = enable.pPmSamplingObject;
  CUpti_PmSampling_SetConfig_Params set{CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE};
  set.pPmSamplingObject = object_;
  set.configSize = config_->image().size();
  set.pConfig = config_->image().data();
  set.hardwareBufferSize = kHardwareBufferBytes;
  set.samplingInterval = static_cast<uint64_t>(intervalNs());
  set.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
  set.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST;
  return api_.setConfig(&set);
}

CUptiResult PmSampling::prepareData() {
  CUpti_PmSampling_GetCounterDataSize_Params size{
      CUpti_PmSampling_GetCounterDataSize_Params_STRUCT_SIZE};
  size.pPmSamplingObject = object_;
  size.pMetricNames = config_->names().data();
  size.numMetrics = config_->names().size();
  size.maxSamples = kMostSamples;
  if (const CUptiResult result = api_.getDataSize(&size); result != CUPTI_SUCCESS) return result;
  data_.resize(size.counterDataSize);
  return clearData();
}

CUptiResult PmSampling::clearData() {
  CUpti_PmSampling_CounterDataImage_Initialize_Params clear{
      CUpti_PmSampling_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  clear.pPmSamplingObject = object_;
  clear.counterDataSize = data_.size();
  clear.pCounterData = data_.data();
  return api_.initializeData(&clear);
}

trace::Result<std::vector<std::string>> PmSampling::start(uint32_t device) {
  if (const auto configured = configure(device); !configured) return configured.error();
  CUptiResult result = enable(device);
  if (result == CUPTI_SUCCESS) result = prepareData();
  if (result == CUPTI_SUCCESS) {
    CUpti_PmSampling_Start_Params start{CUpti_PmSampling_Start_Params_STRUCT_SIZE};
    start.pPmSamplingObject = object_;
    result = api_.start(&start);
  }
  if (result != CUPTI_SUCCESS) return trace::Error{describeRefusal(result)};
  return config_->traceNames();
}

void PmSampling::addSamples(size_t count, CounterBatch& batch) {
  for (size_t i = 0; i < count; ++i) {
    CounterSample sample;
    CUpti_PmSampling_CounterData_GetSampleInfo_Params times{
        CUpti_PmSampling_CounterData_GetSampleInfo_Params_STRUCT_SIZE};
    times.pPmSamplingObject = object_;
    times.pCounterDataImage = data_.data();
    times.counterDataImageSize = data_.size();
    times.sampleIndex = i;
    CUpti_Profiler_Host_EvaluateToGpuValues_Params values{
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
    values.pHostObject = config_->host();
    values.pCounterDataImage = data_.data();
    values.counterDataImageSize = data_.size();
    values.rangeIndex = i;
    values.ppMetricNames = config_->names().data();
    values.numMetrics = config_->names().size();
    values.pMetricValues = sample.values.data();
    if (api_.getSampleInfo(&times) != CUPTI_SUCCESS) continue;
    if (api_.evaluate(&values) != CUPTI_SUCCESS) continue;
    sample.startNs = static_cast<int64_t>(times.startTimestamp);
    sample.endNs = static_cast<int64_t>(times.endTimestamp);
    batch.samples.push_back(sample);
  }
}

/// Takes one image; true when there may be more.
bool PmSampling::readOnce(CounterBatch& batch) {
  CUpti_PmSampling_DecodeData_Params decode{CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE};
  decode.pPmSamplingObject = object_;
  decode.pCounterDataImage = data_.data();
  decode.counterDataImageSize = data_.size();
  CUptiResult result = api_.decode(&decode);
  CUpti_PmSampling_GetCounterDataInfo_Params info{
      CUpti_PmSampling_GetCounterDataInfo_Params_STRUCT_SIZE};
  info.pCounterDataImage = data_.data();
  info.counterDataImageSize = data_.size();
  if (result == CUPTI_SUCCESS) result = api_.getDataInfo(&info);
  if (result == CUPTI_SUCCESS) {
    addSamples(info.numCompletedSamples, batch);
    if (info.numCompletedSamples > 0) result = clearData();
  }
  if (result != CUPTI_SUCCESS) batch.fault = describeRefusal(result);
  const bool isFull =
      decode.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
  batch.isCut |= isFull || decode.overflow != 0;
  return isFull && batch.fault.empty();
}

CounterBatch PmSampling::read() {
  CounterBatch batch;
  while (readOnce(batch)) {
  }
  return batch;
}

CounterBatch PmSampling::stop() {
  CounterBatch batch;
  if (!object_) return batch;
  CUpti_PmSampling_Stop_Params stop{CUpti_PmSampling_Stop_Params_STRUCT_SIZE};
  stop.pPmSamplingObject = object_;
  if (api_.stop(&stop) == CUPTI_SUCCESS) batch = read();
  CUpti_PmSampling_Disable_Params disable{CUpti_PmSampling_Disable_Params_STRUCT_SIZE};
  disable.pPmSamplingObject = object_;
  api_.disable(&disable);
  object_ = nullptr;
  return batch;
}

}  // namespace jitscope::collector
