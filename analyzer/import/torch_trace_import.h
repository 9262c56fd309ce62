#pragma once

#include "analyzer/import/import.h"
#include "analyzer/import/input_bytes.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Imports a structured log of TORCH_TRACE: a trace for each process and rank that wrote into it.
trace::Result<void> importTorchTrace(InputBytes& bytes, Import& result);

}  // namespace jitscope::analyzer
