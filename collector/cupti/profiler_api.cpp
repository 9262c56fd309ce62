#include "collector/cupti/profiler_api.h"

#include "collector/cupti/opened_library.h"

namespace jitscope::collector {
namespace {

/// CUPTI asks the loader for the library of metrics by its name alone, and that finds it only in a
/// toolkit. It lies beside CUPTI; once it is open here, the name is known.
void openMetricsBeside(const OpenedLibrary& cupti) {
  (void)OpenedLibrary::open(cupti.folder() + "libnvperf_host.so");
}

}  // namespace

trace::Result<ProfilerApi> openProfiler(const std::string& path) {
  auto library = OpenedLibrary::open(path);
  if (!library) return library.error();
  openMetricsBeside(*library);
  ProfilerApi api;
  library->find("cuptiProfilerInitialize", api.initialize);
  library->find("cuptiDeviceGetChipName", api.getChipName);
  library->find("cuptiProfilerHostInitialize", api.hostInitialize);
  library->find("cuptiProfilerHostDeinitialize", api.hostDeinitialize);
  library->find("cuptiProfilerHostConfigAddMetrics", api.addMetrics);
  library->find("cuptiProfilerHostGetConfigImageSize", api.getConfigSize);
  library->find("cuptiProfilerHostGetConfigImage", api.getConfig);
  library->find("cuptiProfilerHostGetNumOfPasses", api.getPassCount);
  library->find("cuptiProfilerHostEvaluateToGpuValues", api.evaluate);
  library->find("cuptiPmSamplingGetCounterAvailability", api.getAvailability);
  library->find("cuptiPmSamplingEnable", api.enable);
  library->find("cuptiPmSamplingDisable", api.disable);
  library->find("cuptiPmSamplingSetConfig", api.setConfig);
  library->find("cuptiPmSamplingGetCounterDataSize", api.getDataSize);
  library->find("cuptiPmSamplingCounterDataImageInitialize", api.initializeData);
  library->find("cuptiPmSamplingStart", api.start);
  library->find("cuptiPmSamplingStop", api.stop);
  library->find("cuptiPmSamplingDecodeData", api.decode);
  library->find("cuptiPmSamplingGetCounterDataInfo", api.getDataInfo);
  library->find("cuptiPmSamplingCounterDataGetSampleInfo", api.getSampleInfo);
  if (library->missing()) return trace::Error{path + " has no " + library->missing()};
  return api;
}

}  // namespace jitscope::collector
