#include "analyzer/report.h"

#include "analyzer/reports/json_report.h"
#include "analyzer/reports/markdown_report.h"
#include "analyzer/reports/text_report.h"

namespace jitscope::analyzer {

std::optional<ReportFormat> reportFormat(std::string_view name) {
  if (name == "text") return ReportFormat::kText;
  if (name == "json") return ReportFormat::kJson;
  if (name == "markdown") return ReportFormat::kMarkdown;
  return std::nullopt;
}

std::string renderReport(const Run& run, const Analysis& analysis, ReportFormat format) {
  switch (format) {
    case ReportFormat::kText:
      return textReport(run, analysis);
    case ReportFormat::kJson:
      return jsonReport(run, analysis);
    case ReportFormat::kMarkdown:
      return markdownReport(run, analysis);
  }
  return {};
}

}  // namespace jitscope::analyzer
