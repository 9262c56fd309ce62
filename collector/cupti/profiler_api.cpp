#include "collector/cupti/profiler_api.h"

#include <dlfcn.h>

namespace jitscope::collector {

trace::Result<ProfilerApi> openProfiler(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return trace::Error{why ? why : path + ": cannot be opened"};
  }
  const char* missing = nullptr;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function && !missing) missing = name;
  };
  ProfilerApi api;
  find("cuptiProfilerInitialize", api.initialize);
  find("cuptiDeviceGetChipName", api.getChipName);
  find("cuptiProfilerHostInitialize", api.hostInitialize);
  find("cuptiProfilerHostDeinitialize", api.hostDeinitialize);
  find("cuptiProfilerHostConfigAddMetrics", api.addMetrics);
  find("cuptiProfilerHostGetConfigImageSize", api.getConfigSize);
  find("cuptiProfilerHostGetConfigImage", api.getConfig);
  find("cuptiProfilerHostGetNumOfPasses", api.getPassCount);
  find("cuptiProfilerHostEvaluateToGpuValues", api.evaluate);
  find("cuptiPmSamplingGetCounterAvailability", api.getAvailability);
  find("cuptiPmSamplingEnable", api.enable);
  find("cuptiPmSamplingDisable", api.disable);
  find("cuptiPmSamplingSetConfig", api.setConfig);
  find("cuptiPmSamplingGetCounterDataSize", api.getDataSize);
  find("cuptiPmSamplingCounterDataImageInitialize", api.initializeData);
  find("cuptiPmSamplingStart", api.start);
  find("cuptiPmSamplingStop", api.stop);
  find("cuptiPmSamplingDecodeData", api.decode);
  find("cuptiPmSamplingGetCounterDataInfo", api.getDataInfo);
  find("cuptiPmSamplingCounterDataGetSampleInfo", api.getSampleInfo);
  if (missing) return trace::Error{path + " has no " + missing};
  return api;
}

}  // namespace jitscope::collector
