#include "collector/cupti/range_counter.h"

#include <array>
#include <cmath>

#include "collector/cupti/counter_refusal.h"

namespace jitscope::collector {
namespace {

trace::Error refused(CUptiResult result) { return trace::Error{describeRefusal(result)}; }

int64_t wholeBytes(double value) {
  const bool isAmount = value >= 0 && value < 9e18;
  return isAmount ? std::llround(value) : -1;
}

}  // namespace

trace::Result<void> RangeCounter::configure(CUcontext context, uint32_t device) {
  CUpti_Device_GetChipName_Params chip{CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  chip.deviceIndex = device;
  if (const CUptiResult result = profiler_.getChipName(&chip); result != CUPTI_SUCCESS) {
    return refused(result);
  }
  CUpti_Profiler_GetCounterAvailability_Params available{
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
  available.ctx = context;
  // Once for the size, once for the image.
  for (int round = 0; round < 2; ++round) {
    const CUptiResult result = ranges_.getAvailability(&available);
    if (result != CUPTI_SUCCESS) return refused(result);
    availability_.resize(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability_.data();
  }
  auto config = CounterConfig::create(profiler_, chip.pChipName, availability_.data(),
                                      memoryTrafficMetrics(), CUPTI_PROFILER_TYPE_RANGE_PROFILER);
  if (!config) return config.error();
  config_.emplace(std::move(*config));
  return {};
}

trace::Result<void> RangeCounter::begin(CUcontext context, uint32_t device) {
  if (const auto configured = configure(context, device); !configured) return configured.error();
  CUpti_RangeProfiler_Enable_Params enable{CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  enable.ctx = context;
  CUptiResult result = ranges_.enable(&enable);
  if (result != CUPTI_SUCCESS) return refused(result);
  object_ = enable.pRangeProfilerObject;
  result = prepareData();
  if (result == CUPTI_SUCCESS) return {};
  end();
  return refused(result);
}

CUptiResult RangeCounter::prepareData() {
  CUpti_RangeProfiler_GetCounterDataSize_Params size{
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  size.pRangeProfilerObject = object_;
  size.pMetricNames = config_->names().data();
  size.numMetrics = config_->names().size();
  size.maxNumOfRanges = kMostRanges;
  size.maxNumRangeTreeNodes = kMostRanges;
  const CUptiResult result = ranges_.getDataSize(&size);
  if (result == CUPTI_SUCCESS) data_.resize(size.counterDataSize);
  return result;
}

CUptiResult RangeCounter::setConfig() {
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params clear{
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  clear.pRangeProfilerObject = object_;
  clear.counterDataSize = data_.size();
  clear.pCounterData = data_.data();
  const CUptiResult result = ranges_.initializeData(&clear);
  if (result != CUPTI_SUCCESS) return result;
  CUpti_RangeProfiler_SetConfig_Params set{CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  set.pRangeProfilerObject = object_;
  set.configSize = config_->image().size();
  set.pConfig = config_->image().data();
  set.counterDataImageSize = data_.size();
  set.pCounterDataImage = data_.data();
  set.range = CUPTI_AutoRange;
  set.replayMode = CUPTI_KernelReplay;
  set.maxRangesPerPass = kMostRanges;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  set.passIndex = 0;
  set.targetNestingLevel = 0;
  return ranges_.setConfig(&set);
}

trace::Result<void> RangeCounter::start() {
  if (!object_) return trace::Error{"the counters were given back"};
  if (const CUptiResult result = setConfig(); result != CUPTI_SUCCESS) return refused(result);
  CUpti_RangeProfiler_Start_Params start{CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  start.pRangeProfilerObject = object_;
  if (const CUptiResult result = ranges_.start(&start); result != CUPTI_SUCCESS) {
    return refused(result);
  }
  // Some versions of CUPTI count nothing without a range around all, others refuse one; where it
  // was needed and refused, there will be fewer ranges than kernels.
  CUpti_RangeProfiler_PushRange_Params push{CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE};
  push.pRangeProfilerObject = object_;
  push.pRangeName = "all";
  (void)ranges_.pushRange(&push);
  return {};
}

trace::Result<std::vector<RangeBytes>> RangeCounter::stop() {
  if (!object_) return trace::Error{"the counters were given back"};
  CUpti_RangeProfiler_PopRange_Params pop{CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE};
  pop.pRangeProfilerObject = object_;
  (void)ranges_.popRange(&pop);
  CUpti_RangeProfiler_Stop_Params stop{CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  stop.pRangeProfilerObject = object_;
  CUptiResult result = ranges_.stop(&stop);
  if (result != CUPTI_SUCCESS) return refused(result);
  CUpti_RangeProfiler_DecodeData_Params decode{CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
  decode.pRangeProfilerObject = object_;
  result = ranges_.decode(&decode);
  if (result != CUPTI_SUCCESS) return refused(result);
  CUpti_RangeProfiler_GetCounterDataInfo_Params info{
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE};
  info.pCounterDataImage = data_.data();
  info.counterDataImageSize = data_.size();
  result = ranges_.getDataInfo(&info);
  if (result != CUPTI_SUCCESS) return refused(result);
  std::vector<RangeBytes> bytes;
  for (size_t i = 0; i < info.numTotalRanges; ++i) bytes.push_back(bytesOf(i));
  return bytes;
}

RangeBytes RangeCounter::bytesOf(size_t range) {
  std::array<double, 2> values{};
  CUpti_Profiler_Host_EvaluateToGpuValues_Params evaluate{
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
  evaluate.pHostObject = config_->host();
  evaluate.pCounterDataImage = data_.data();
  evaluate.counterDataImageSize = data_.size();
  evaluate.rangeIndex = range;
  evaluate.ppMetricNames = config_->names().data();
  evaluate.numMetrics = config_->names().size();
  evaluate.pMetricValues = values.data();
  if (profiler_.evaluate(&evaluate) != CUPTI_SUCCESS) return {};
  return {wholeBytes(values[0]), wholeBytes(values[1])};
}

void RangeCounter::end() {
  if (!object_) return;
  CUpti_RangeProfiler_Disable_Params disable{CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
  disable.pRangeProfilerObject = object_;
  ranges_.disable(&disable);
  object_ = nullptr;
}

}  // namespace jitscope::collector
