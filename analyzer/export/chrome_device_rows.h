#pragma once

#include "analyzer/export/chrome_writer.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Writes what one process's devices did, the API calls that started it, and the arrows between.
void writeDeviceRows(const Run& run, ProcessIndex process, ChromeWriter& writer);

}  // namespace jitscope::analyzer
