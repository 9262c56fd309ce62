#pragma once

#include "collector/cupti/cupti_api.h"

namespace jitscope::collector {

/// Takes CUPTI's callbacks for this process. An error when another tool has them, with that tool's
/// name.
trace::Result<CUpti_SubscriberHandle> subscribeTo(const CuptiApi& api, CUpti_CallbackFunc callback,
                                                  void* userData);

}  // namespace jitscope::collector
