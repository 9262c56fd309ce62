#pragma once

#include "trace/sink_abi.h"

/// \file
/// The face of libjitscope_cupti.so, in plain C: it is opened by the library that was preloaded,
/// from within the driver's initialisation, once CUDA starts.
namespace jitscope::collector {

/// How the bytes of kernels are to be known.
enum class CuptiTraffic : int {
  kOff,
  kSampled,  ///< the counters of the GPU are sampled
  kExact,    ///< each kernel's bytes are counted, and nothing else is recorded
};

/// What is wanted of the GPU's side of a recording.
struct CuptiWishes {
  int wantsGraphNodes;  ///< 1: a record for each node of a CUDA graph; 0: one for each launch
  CuptiTraffic traffic;
  /// Called with 1 after cudaProfilerStart and with 0 before cudaProfilerStop, on the thread that
  /// calls them; null: they do not matter.
  void (*onProfiler)(int isOn);
  /// Whether windows of the recording leave rows out by now; null: they never do.
  int (*isWindowed)();
  /// Writes the row of what the GPU did so that it counts by the time of the call that launched it;
  /// else as `JitscopeSink::write`. Null where `isWindowed` is.
  void (*writeLaunched)(uint32_t table, const int64_t* cells, uint32_t count, int64_t startNs,
                        int64_t endNs);
};

/// Begins to write what the GPU does to `sink`, which must stay valid until the process ends. Gives
/// null, or why it cannot (valid until the process ends). Never throws. Call once.
using CuptiAttach = const char* (*)(const JitscopeSink* sink, const CuptiWishes* wishes);
inline constexpr const char* kCuptiAttachSymbol = "jitscope_cupti_attach_v4";

/// Ends the sampling of counters and waits for the GPU, for a bounded time, since the process is
/// about to end: to be called before anything of it is torn down. Does nothing in a forked child.
using CuptiQuiet = void (*)();
inline constexpr const char* kCuptiQuietSymbol = "jitscope_cupti_quiet_v1";

/// Brings what CUPTI still holds into the sink, and what was counted on the way. Waits for the GPU
/// for a bounded time. The recording may go on afterwards; does nothing in a forked child.
using CuptiFinish = void (*)();
inline constexpr const char* kCuptiFinishSymbol = "jitscope_cupti_finish_v1";

}  // namespace jitscope::collector
