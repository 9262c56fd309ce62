#include "collector/cupti/resource_events.h"

#include <exception>

#include "collector/inject/errno_guard.h"

namespace jitscope::collector {
namespace {

// Never MODULE_PROFILED: it comes at every launch.
constexpr CUpti_CallbackId kWanted[] = {
    CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
    CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING};

const CUpti_GraphData& graphOf(const CUpti_ResourceData& resource) {
  return *static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
}

}  // namespace

std::span<const CUpti_CallbackId> ResourceEvents::wanted() { return kWanted; }

void ResourceEvents::begin(CUcontext context) {
  work_.add(context);
  uint32_t device = 0;
  if (api_.getDeviceId(context, &device) == CUPTI_SUCCESS) samplers_.use(device);
}

void ResourceEvents::take(CUpti_CallbackId id, const CUpti_ResourceData& resource) noexcept {
  const ErrnoGuard errnoGuard;
  try {
    switch (id) {
      case CUPTI_CBID_RESOURCE_CONTEXT_CREATED:
        begin(resource.context);
        break;
      case CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING:
        work_.remove(resource.context);
        break;
      case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED:
        nodes_.created(graphOf(resource));
        break;
      case CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED:
        nodes_.cloned(graphOf(resource));
        break;
      case CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING:
        nodes_.destroyed(graphOf(resource));
        break;
      default:
        break;
    }
  } catch (const std::exception&) {
    // No memory: the node stays unknown, the device is not sampled.
  }
}

}  // namespace jitscope::collector
