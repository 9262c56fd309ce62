#pragma once

#include <vector>

#include "analyzer/input.h"
#include "trace/reader.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// The parts of `traces` that a filter lets through; files that need no cut are not copied. Of a
/// frame that is not there nothing is left. An error when no process has the rank, or nothing
/// starts so late.
trace::Result<std::vector<trace::TraceFile>> narrow(std::vector<trace::TraceFile> traces,
                                                    const RunFilter& filter);

}  // namespace jitscope::analyzer
