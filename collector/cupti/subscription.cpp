#include "collector/cupti/subscription.h"

namespace jitscope::collector {

trace::Result<CUpti_SubscriberHandle> subscribeTo(const CuptiApi& api, CUpti_CallbackFunc callback,
                                                  void* userData) {
  char owner[256] = "";
  CUpti_SubscriberParams parameters{};
  parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  parameters.subscriberName = "jitscope";
  parameters.oldSubscriberName = owner;
  parameters.oldSubscriberSize = sizeof owner;
  CUpti_SubscriberHandle subscriber = nullptr;
  const CUptiResult result = api.subscribe(&subscriber, callback, userData, &parameters);
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    return trace::Error{std::string("CUPTI belongs to ") + (owner[0] ? owner : "another tool") +
                        ", and only one tool at a time can have it"};
  }
  if (result != CUPTI_SUCCESS) {
    return trace::Error{describeFailure(api, "cuptiSubscribe_v2", result)};
  }
  return subscriber;
}

}  // namespace jitscope::collector
