#pragma once

#include <string>
#include <vector>

#include "analyzer/gate/gate.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/reports/table.h"

namespace jitscope::analyzer {

/// "2 things are over the limit.", "The run is within its limits."
std::string conclusion(const GateVerdict& verdict);

/// All limits.
Table limitsTable(const GateVerdict& verdict);

/// All findings, worst first, with how they stand to the baseline.
Table findingsTable(const GateVerdict& verdict);

/// The title of a finding, in a length that a page or a field of another program can bear.
std::string boundedTitle(const Finding& finding);

/// What `findingLines` says, each text in such a length.
std::vector<FindingLine> boundedLines(const Finding& finding);

/// Whether a place is a line of a file that there can be: no system opens longer names. Without a
/// line the file is only a module of machine code.
bool isLineOfFile(const Place& place);

/// Any other text in such a length: an id, a reason.
std::string boundedText(std::string_view text);

}  // namespace jitscope::analyzer
