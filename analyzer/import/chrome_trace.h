#pragma once

#include <string_view>

#include "analyzer/import/import.h"
#include "analyzer/import/input_bytes.h"
#include "trace/result.h"

/// \file
/// Traces of torch.profiler (Kineto) and others in the JSON of Chrome's trace viewer.
///
/// | event | row |
/// |---|---|
/// | cpu_op, user_annotation | op; the compiler's marks become region and call instead |
/// | cuda_runtime, cuda_driver | api; of a graph's launch also graph_launch |
/// | kernel, gpu_memcpy, gpu_memset, cuda_sync | kernel, memcpy, memset, sync |
/// | metadata: deviceProperties, distributedInfo, thread_name | device, process, thread |
///
/// Times are `baseTimeNanoseconds` + ts. Files of 2021 have no base and whole microseconds.
namespace jitscope::analyzer {

/// Whether a file that begins so is a Chrome trace: an object with `traceEvents` or what profilers
/// write in front of it, or a list of objects with a `ph`.
bool isChromeTrace(std::string_view head);

/// Reads one, however damaged; never fails.
trace::Result<void> importChromeTrace(InputBytes& bytes, Import& result);

}  // namespace jitscope::analyzer
