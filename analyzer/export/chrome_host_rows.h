#pragma once

#include "analyzer/export/chrome_writer.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Writes what one process's host did: operators, regions, guard checks, calls, compilations,
/// breaks and guard failures.
void writeHostRows(const Run& run, ProcessIndex process, ChromeWriter& writer);

}  // namespace jitscope::analyzer
