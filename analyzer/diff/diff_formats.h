#pragma once

#include <string>

#include "analyzer/diff.h"

namespace jitscope::analyzer {

/// The diff for a terminal.
std::string diffText(const RunDiff& diff, size_t mostRows);

/// The diff for a comment on a change.
std::string diffMarkdown(const RunDiff& diff, size_t mostRows);

/// The diff for programs, as REPORT.md specifies; always all of it.
std::string diffJson(const RunDiff& diff, size_t mostRows);

}  // namespace jitscope::analyzer
