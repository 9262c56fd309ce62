#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/reports/table.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// "1 process, 1.23 s recorded, 12,345 operators, 2 compiled callables, 120 calls".
std::string overview(const Run& run);

/// Calls, hits, compilations and breaks of each frame.
Table framesTable(const Run& run, const Analysis& analysis);

/// Eager against compiled calls of each frame that has either.
Table eagerTable(const Run& run, const Analysis& analysis);

/// Each recompilation with the guard that failed; at most `limit`, the note tells how many more.
Table recompilesTable(const Run& run, size_t limit);

/// What is missing from the recording.
Table lossesTable(const Run& run);

/// Sentences about what the files cannot tell: processes whose recording was not closed, a log
/// without a profile beside it and the reverse.
std::vector<std::string> recordingNotes(const Run& run);

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
