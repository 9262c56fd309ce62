#pragma once

#include "trace/sink_abi.h"

/// How other libraries of the process find the session: see trace/sink_abi.h. Null when this
/// process is not recorded.
extern "C" __attribute__((visibility("default"))) const JitscopeSink* jitscope_sink_v1();
