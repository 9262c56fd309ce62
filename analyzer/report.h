#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

enum class ReportFormat { kText, kJson, kMarkdown };

/// The format of that name ("text", "json", "markdown").
std::optional<ReportFormat> reportFormat(std::string_view name);

/// Writes the report of a run: frames, findings, eager against compiled, losses. JSON follows
/// REPORT.md.
std::string renderReport(const Run& run, const Analysis& analysis, ReportFormat format);

}  // namespace jitscope::analyzer
