#pragma once

#include <cupti.h>

#include <string>

#include "trace/result.h"

namespace jitscope::collector {

/// The functions of CUPTI that are called, and the seam at which a test puts its own. Never linked:
/// the library is the one of the recorded program.
struct CuptiApi {
  decltype(&::cuptiGetVersion) getVersion = nullptr;
  decltype(&::cuptiGetResultString) getResultString = nullptr;
  decltype(&::cuptiSubscribe_v2) subscribe = nullptr;
  decltype(&::cuptiEnableCallback) enableCallback = nullptr;
  decltype(&::cuptiGetCallbackName) getCallbackName = nullptr;
  decltype(&::cuptiSetThreadIdType) setThreadIdType = nullptr;
  decltype(&::cuptiActivitySetAttribute) activitySetAttribute = nullptr;
  decltype(&::cuptiActivityRegisterTimestampCallback) registerTimestampCallback = nullptr;
  decltype(&::cuptiActivityRegisterCallbacks) activityRegisterCallbacks = nullptr;
  decltype(&::cuptiActivityEnable) activityEnable = nullptr;
  decltype(&::cuptiActivityEnableRuntimeApi) activityEnableRuntimeApi = nullptr;
  decltype(&::cuptiActivityEnableDriverApi) activityEnableDriverApi = nullptr;
  decltype(&::cuptiActivityFlushAll) activityFlushAll = nullptr;
  decltype(&::cuptiActivityGetNextRecord) activityGetNextRecord = nullptr;
  decltype(&::cuptiActivityGetNumDroppedRecords) activityGetNumDroppedRecords = nullptr;
  decltype(&::cuptiGetGraphNodeId) getGraphNodeId = nullptr;
  decltype(&::cuptiGetGraphId) getGraphId = nullptr;
  decltype(&::cuptiGetDeviceId) getDeviceId = nullptr;
};

/// Opens the CUPTI at `path` and looks its functions up. An error when it is not there, lacks one
/// of them, or is older than the headers that this was built with: its records would be shorter.
trace::Result<CuptiApi> openCupti(const std::string& path);

/// "CALL: what CUPTI says of it".
std::string describeFailure(const CuptiApi& api, const char* call, CUptiResult result);

}  // namespace jitscope::collector
