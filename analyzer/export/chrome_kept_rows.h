#pragma once

#include "analyzer/export/chrome_writer.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Writes the rows of tables that the format has no form for, or not for all of their columns, as
/// metadata (`jitscope_row`: the table's name and its cells, times from the writer's base on).
/// Other tools step over it; our own import takes it back, so that a recording that went out and in
/// has as many rows. Of a run of several processes nothing is written: the import makes one of
/// them.
void writeKeptRows(const Run& run, ChromeWriter& writer);

}  // namespace jitscope::analyzer
