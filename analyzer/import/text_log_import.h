#pragma once

#include <string_view>

#include "analyzer/import/import.h"
#include "analyzer/import/input_bytes.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Whether a file that begins so is text that may hold lines of the compiler. They can come late: a
/// log of a program is one too when its first lines are the program's.
bool looksLikeTextLog(std::string_view head);

/// Imports what TORCH_LOGS (or JITSCOPE_LOGS) wrote, among whatever the program wrote beside: a
/// trace for each rank and process that told of a compilation.
trace::Result<void> importTextLog(InputBytes& bytes, Import& result);

}  // namespace jitscope::analyzer
