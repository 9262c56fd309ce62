#include "analyzer/reports/long_texts.h"

#include <fmt/format.h>

#include "analyzer/reports/shortened.h"
#include "analyzer/reports/xml_escape.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kLongestKept = 10'000, kMostBytes = 8 << 20;

}  // namespace

std::string LongTexts::html(std::string_view text, size_t most) {
  const std::string beginning = shortened(text, most);
  if (beginning == text) return xmlEscaped(text);
  const std::string kept = shortened(text, kLongestKept);
  const auto known = numbers_.find(kept);
  size_t number = known == numbers_.end() ? 0 : known->second;
  if (number == 0 && sizeBytes_ < kMostBytes) {
    number = numbers_.emplace(kept, numbers_.size() + 1).first->second;
    escaped_.push_back(xmlEscaped(kept));
    sizeBytes_ += escaped_.back().size();
  }
  if (number == 0) return xmlEscaped(beginning);
  return fmt::format("<span data-text=\"{}\">{}</span>", number, xmlEscaped(beginning));
}

std::string LongTexts::list() const {
  if (escaped_.empty()) return {};
  std::string html =
      "<details><summary>Long texts in full</summary>\n<ol id=\"texts\" class=\"texts\">\n";
  for (const std::string& text : escaped_) html += fmt::format("<li>{}</li>\n", text);
  html += "</ol></details>\n";
  if (sizeBytes_ >= kMostBytes)
    html += "<p class=\"note\">further long texts are in the recording only: jitscope query</p>\n";
  return html;
}

}  // namespace jitscope::analyzer
