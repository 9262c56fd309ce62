#include "collector/cupti/cupti_api.h"

#include "collector/cupti/opened_library.h"

namespace jitscope::collector {

trace::Result<CuptiApi> openCupti(const std::string& path) {
  auto library = OpenedLibrary::open(path);
  if (!library) return library.error();
  CuptiApi api;
  library->find("cuptiGetVersion", api.getVersion);
  library->find("cuptiGetResultString", api.getResultString);
  library->find("cuptiSubscribe_v2", api.subscribe);
  library->find("cuptiEnableCallback", api.enableCallback);
  library->find("cuptiGetCallbackName", api.getCallbackName);
  library->find("cuptiSetThreadIdType", api.setThreadIdType);
  library->find("cuptiActivitySetAttribute", api.activitySetAttribute);
  library->find("cuptiActivityRegisterTimestampCallback", api.registerTimestampCallback);
  library->find("cuptiActivityRegisterCallbacks", api.activityRegisterCallbacks);
  library->find("cuptiActivityEnable", api.activityEnable);
  library->find("cuptiActivityEnableRuntimeApi", api.activityEnableRuntimeApi);
  library->find("cuptiActivityEnableDriverApi", api.activityEnableDriverApi);
  library->find("cuptiActivityFlushAll", api.activityFlushAll);
  library->find("cuptiActivityGetNextRecord", api.activityGetNextRecord);
  library->find("cuptiActivityGetNumDroppedRecords", api.activityGetNumDroppedRecords);
  library->find("cuptiGetGraphNodeId", api.getGraphNodeId);
  library->find("cuptiGetGraphId", api.getGraphId);
  library->find("cuptiGetDeviceId", api.getDeviceId);
  if (const char* missing = library->missing()) {
    return trace::Error{path + " has no " + missing + "; CUDA 13.0 or newer is needed"};
  }
  uint32_t version = 0;
  api.getVersion(&version);
  if (version < CUPTI_API_VERSION) {
    return trace::Error{path + " is of version " + std::to_string(version) +
                        ", jitscope was built for " + std::to_string(CUPTI_API_VERSION)};
  }
  return api;
}

std::string describeFailure(const CuptiApi& api, const char* call, CUptiResult result) {
  const char* text = nullptr;
  if (api.getResultString(result, &text) != CUPTI_SUCCESS || !text) text = "unknown error";
  return std::string(call) + ": " + text;
}

}  // namespace jitscope::collector
