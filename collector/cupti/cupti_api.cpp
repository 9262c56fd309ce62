#include "collector/cupti/cupti_api.h"

#include <dlfcn.h>

namespace jitscope::collector {
namespace {

template <class Function>
bool look(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Gives the name of a function that is missing; null when all are there.
const char* lookAll(void* library, CuptiApi& api) {
  const char* missing = nullptr;
  const auto find = [&](const char* name, auto& function) {
    if (!look(library, name, function) && !missing) missing = name;
  };
  find("cuptiGetVersion", api.getVersion);
  find("cuptiGetResultString", api.getResultString);
  find("cuptiSubscribe_v2", api.subscribe);
  find("cuptiEnableCallback", api.enableCallback);
  find("cuptiGetCallbackName", api.getCallbackName);
  find("cuptiSetThreadIdType", api.setThreadIdType);
  find("cuptiActivitySetAttribute", api.activitySetAttribute);
  find("cuptiActivityRegisterTimestampCallback", api.registerTimestampCallback);
  find("cuptiActivityRegisterCallbacks", api.activityRegisterCallbacks);
  find("cuptiActivityEnable", api.activityEnable);
  find("cuptiActivityEnableRuntimeApi", api.activityEnableRuntimeApi);
  find("cuptiActivityEnableDriverApi", api.activityEnableDriverApi);
  find("cuptiActivityFlushAll", api.activityFlushAll);
  find("cuptiActivityGetNextRecord", api.activityGetNextRecord);
  find("cuptiActivityGetNumDroppedRecords", api.activityGetNumDroppedRecords);
  find("cuptiGetGraphNodeId", api.getGraphNodeId);
  find("cuptiGetGraphId", api.getGraphId);
  find("cuptiGetDeviceId", api.getDeviceId);
  return missing;
}

}  // namespace

trace::Result<CuptiApi> openCupti(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return trace::Error{why ? why : path + ": cannot be opened"};
  }
  CuptiApi api;
  if (const char* missing = lookAll(library, api)) {
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
