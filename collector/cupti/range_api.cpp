#include "collector/cupti/range_api.h"

#include "collector/cupti/opened_library.h"

namespace jitscope::collector {

trace::Result<RangeApi> openRanges(const std::string& path) {
  auto library = OpenedLibrary::open(path);
  if (!library) return library.error();
  RangeApi api;
  library->find("cuptiProfilerGetCounterAvailability", api.getAvailability);
  library->find("cuptiRangeProfilerEnable", api.enable);
  library->find("cuptiRangeProfilerDisable", api.disable);
  library->find("cuptiRangeProfilerSetConfig", api.setConfig);
  library->find("cuptiRangeProfilerGetCounterDataSize", api.getDataSize);
  library->find("cuptiRangeProfilerCounterDataImageInitialize", api.initializeData);
  library->find("cuptiRangeProfilerStart", api.start);
  library->find("cuptiRangeProfilerStop", api.stop);
  library->find("cuptiRangeProfilerPushRange", api.pushRange);
  library->find("cuptiRangeProfilerPopRange", api.popRange);
  library->find("cuptiRangeProfilerDecodeData", api.decode);
  library->find("cuptiRangeProfilerGetCounterDataInfo", api.getDataInfo);
  if (library->missing()) return trace::Error{path + " has no " + library->missing()};
  return api;
}

}  // namespace jitscope::collector
