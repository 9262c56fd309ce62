#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/reports/table.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// "1 process, 1.23 s recorded, 12,345 operators, 2 compiled callables, 120 calls"; of a run that
/// was recorded in windows also which, behind "recorded".
std::string overview(const Run& run);

/// Place and cost of the worst findings, a line each; none where there is but one, of which the
/// verdict tells. At most `most`.
Table worstTable(const Analysis& analysis, size_t most);

/// Calls, hits, compilations and breaks of each frame; of more than `most` (0: any number) those
/// that cost most.
Table framesTable(const Run& run, const Analysis& analysis, size_t most = 0);

/// Eager against compiled calls of each frame that has either; of more than `most` as above.
Table eagerTable(const Run& run, const Analysis& analysis, size_t most = 0);

/// Each recompilation with the guard that failed; at most `limit`, the note tells how many more.
Table recompilesTable(const Run& run, size_t limit);

/// What is missing from the recording.
Table lossesTable(const Run& run);

/// A fact of a finding with its label, in the order in which reports print them.
struct FindingLine {
  std::string label;  ///< "place", "cause", "cost", "seen", "guard", "fix"
  std::string text;
};

/// How many findings a layout shows, from the worst on.
size_t shownFindings(const Analysis& analysis, const ReportLayout& layout);

/// The facts of a finding.
std::vector<FindingLine> findingLines(const Finding& finding);

}  // namespace jitscope::analyzer
