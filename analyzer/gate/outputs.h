#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "analyzer/gate/gate.h"

namespace jitscope::analyzer {

/// The verdict for a terminal: what is over first, then the limits, then what is new, known,
/// allowed and gone.
std::string gateText(const GateVerdict& verdict);

/// The verdict as a comment on a change: the findings that are over with place and fix, a table of
/// limits, the rest folded away. Never longer than what GitHub takes, 65,536 characters; what finds
/// no room is counted.
std::string gateMarkdown(const GateVerdict& verdict);

/// JUnit XML: a test case for each limit and each finding, failed when it is over, skipped when it
/// is allowed. Keeps to both schemas there are: Jenkins's (junit-10.xsd of its xUnit plugin) and
/// Ant's.
std::string gateJUnit(const GateVerdict& verdict);

/// SARIF 2.1.0 (OASIS standard): a result for each finding with its place in the user's code. Files
/// below `sourceRoot` are named relative to it, others in full.
std::string gateSarif(const GateVerdict& verdict, const std::filesystem::path& sourceRoot);

/// Workflow commands of GitHub Actions, one a line: an error for each finding and limit that is
/// over, a warning for each other finding that is not allowed.
std::string gateGitHub(const GateVerdict& verdict, const std::filesystem::path& sourceRoot);

/// The file of a place, relative to `root` when it lies below it; with `/` between folders, also
/// where it was recorded on Windows.
std::string pathBelow(const std::filesystem::path& root, std::string_view file);

/// Whether a path begins with a drive of Windows and its root: `C:\\` or `C:/`.
bool hasDrive(std::string_view path);

}  // namespace jitscope::analyzer
