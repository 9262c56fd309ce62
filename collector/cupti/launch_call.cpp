#include "collector/cupti/launch_call.h"

#include <fmt/format.h>

namespace jitscope::collector {
namespace {

// The ones that end in ptsz are what a program calls whose default stream is one for each thread.
constexpr CUpti_CallbackId kLaunchCalls[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                             CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                             CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                             CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

/// Of the arguments whose names the ways of launching share.
template <class Arguments>
LaunchCall kernelOf(const CUpti_CallbackData& call, const Arguments& arguments) {
  return {.kernel = call.symbolName,
          .stream = arguments.hStream,
          .grid = {arguments.gridDimX, arguments.gridDimY, arguments.gridDimZ},
          .block = {arguments.blockDimX, arguments.blockDimY, arguments.blockDimZ}};
}

}  // namespace

std::string LaunchCall::text() const {
  return fmt::format("grid {}x{}x{} block {}x{}x{}", grid[0], grid[1], grid[2], block[0], block[1],
                     block[2]);
}

std::span<const CUpti_CallbackId> launchCalls() { return kLaunchCalls; }

std::optional<LaunchCall> launchOf(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  const auto arguments = [&]<class Arguments>() -> const Arguments& {
    return *static_cast<const Arguments*>(call.functionParams);
  };
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
      return kernelOf(call, arguments.operator()<cuLaunchKernel_params>());
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return kernelOf(call, arguments.operator()<cuLaunchCooperativeKernel_params>());
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      return kernelOf(call, *arguments.operator()<cuLaunchKernelEx_params>().config);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz: {
      LaunchCall launch;
      launch.isGraph = true;
      launch.stream = arguments.operator()<cuGraphLaunch_params>().hStream;
      return launch;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace jitscope::collector
