#pragma once

#include "trace/sink_abi.h"

/// \file
/// The face of libjitscope_torch.so, in plain C: it is opened by the library that was preloaded,
/// once LibTorch is there.
namespace jitscope::collector {

/// Begins to write the operators of this process to `sink`, which must stay valid until the process
/// ends. `version` is LibTorch's, as its package states it; empty when it does not. Gives null, or
/// why it cannot (valid until the process ends). Never throws.
using TorchAttach = const char* (*)(const JitscopeSink* sink, const char* version);
inline constexpr const char* kTorchAttachSymbol = "jitscope_torch_attach_v2";

/// Writes what was counted on the way (own time, losses) to the sink. Operators may still run.
using TorchFinish = void (*)();
inline constexpr const char* kTorchFinishSymbol = "jitscope_torch_finish_v1";

}  // namespace jitscope::collector
