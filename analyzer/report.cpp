#include "analyzer/report.h"

#include <algorithm>
#include <array>

#include "analyzer/reports/html_report.h"
#include "analyzer/reports/json_report.h"
#include "analyzer/reports/markdown_report.h"
#include "analyzer/reports/text_report.h"

namespace jitscope::analyzer {
namespace {

struct Form {
  ReportFormat format;
  std::string_view name;
  std::string (*render)(const Run& run, const Analysis& analysis, const ReportLayout& layout);
};

constexpr std::array kForms{
    Form{ReportFormat::kText, "text", textReport},
    Form{ReportFormat::kJson, "json", jsonReport},
    Form{ReportFormat::kMarkdown, "markdown", markdownReport},
    Form{ReportFormat::kHtml, "html", htmlReport},
};

}  // namespace

std::vector<std::string_view> reportFormatNames() {
  std::vector<std::string_view> names(kForms.size());
  std::transform(kForms.begin(), kForms.end(), names.begin(),
                 [](const Form& form) { return form.name; });
  return names;
}

std::optional<ReportFormat> reportFormat(std::string_view name) {
  for (const Form& form : kForms) {
    if (form.name == name) return form.format;
  }
  return std::nullopt;
}

std::string renderReport(const Run& run, const Analysis& analysis, ReportFormat format,
                         const ReportLayout& layout) {
  const auto form = std::find_if(kForms.begin(), kForms.end(),
                                 [&](const Form& each) { return each.format == format; });
  return form == kForms.end() ? "" : form->render(run, analysis, layout);
}

}  // namespace jitscope::analyzer
