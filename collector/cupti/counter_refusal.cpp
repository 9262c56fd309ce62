#include "collector/cupti/counter_refusal.h"

namespace jitscope::collector {

std::string describeRefusal(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "only the administrator may read the GPU's counters; load the driver with "
             "NVreg_RestrictProfilingToAdminUsers=0, or run as root";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_INVALID_OPERATION:
      return "another tool reads the GPU's counters; end it (`dcgmi profile --pause` for DCGM)";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "this virtual GPU does not show its counters; its host has to allow it";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "counters cannot be read in confidential computing";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "counters cannot be read under WSL";
    case CUPTI_ERROR_NOT_SUPPORTED:
      return "the counters of this GPU cannot be read";
    default:
      return "CUPTI answers " + std::to_string(result);
  }
}

}  // namespace jitscope::collector
