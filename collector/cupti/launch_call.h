#pragma once

#include <cupti.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace jitscope::collector {

/// A call of the driver that has kernels run: one, or those of a CUDA graph.
struct LaunchCall {
  bool isGraph = false;
  const char* kernel = nullptr;  ///< mangled; CUPTI's, valid during the call; null of a graph
  CUstream stream = nullptr;
  std::array<uint32_t, 3> grid{}, block{};

  /// "grid 4x1x1 block 256x1x1", as the launch of a kernel's row begins.
  std::string text() const;
};

/// The calls of the driver that launch. Those of the runtime come by them.
std::span<const CUpti_CallbackId> launchCalls();

/// What a call launches; nothing when it is none of `launchCalls`.
std::optional<LaunchCall> launchOf(CUpti_CallbackId id, const CUpti_CallbackData& call);

}  // namespace jitscope::collector
