#pragma once

#include <vector>

#include "analyzer/input.h"
#include "trace/reader.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// The parts of `traces` that a filter lets through; files that need no cut are not copied. An
/// error when there is no such rank or frame, naming those there are.
trace::Result<std::vector<trace::TraceFile>> narrow(std::vector<trace::TraceFile> traces,
                                                    const RunFilter& filter);

}  // namespace jitscope::analyzer
