#include "analyzer/diff/diff_formats.h"

#include <array>

namespace jitscope::analyzer {
namespace {

struct Form {
  std::string_view name;
  std::string (*render)(const RunDiff& diff, size_t mostRows);
};

constexpr std::array kForms{Form{"text", diffText}, Form{"json", diffJson},
                            Form{"markdown", diffMarkdown}};

}  // namespace

std::vector<std::string_view> diffFormatNames() {
  std::vector<std::string_view> names;
  names.reserve(kForms.size());
  for (const Form& form : kForms) names.push_back(form.name);
  return names;
}

std::optional<std::string> renderDiff(const RunDiff& diff, std::string_view format,
                                      size_t mostRows) {
  for (const Form& form : kForms) {
    if (form.name == format) return form.render(diff, mostRows);
  }
  return std::nullopt;
}

}  // namespace jitscope::analyzer
