#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The forms that a report can take.
enum class ReportFormat { kText, kJson, kMarkdown, kHtml };

/// How a report is laid out.
struct ReportLayout {
  size_t width = 100;       ///< of text, in characters
  size_t tableWidth = 0;    ///< of tables of text, to which they are cut; 0: as wide as they need
  bool hasColour = false;   ///< text with the escapes of a terminal
  size_t mostFindings = 0;  ///< only the worst ones, in every form; 0: all
};

/// The names of all formats: "text", "json", "markdown", "html".
std::vector<std::string_view> reportFormatNames();

/// The format of that name; none when there is no such format.
std::optional<ReportFormat> reportFormat(std::string_view name);

/// Writes the report of a run: frames, findings, eager against compiled, losses. JSON follows
/// REPORT.md.
std::string renderReport(const Run& run, const Analysis& analysis, ReportFormat format,
                         const ReportLayout& layout = {});

}  // namespace jitscope::analyzer
