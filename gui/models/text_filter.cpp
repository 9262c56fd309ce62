#include "gui/models/text_filter.h"

#include <QStringList>
#include <cstring>

namespace jitscope::gui {

void TextFilter::add(const QString& text) {
  std::string line = text.toLower().toStdString();
  // The end of a line is what keeps lines apart.
  for (char& character : line) {
    if (character == '\n') character = ' ';
  }
  text_ += line + '\n';
  ends_.push_back(text_.size());
}

std::vector<bool> TextFilter::matching(const QString& wanted) const {
  std::vector<bool> result(ends_.size(), true);
  for (const QString& word : wanted.simplified().toLower().split(' ', Qt::SkipEmptyParts)) {
    const std::vector<bool> found = holding(word.toStdString());
    for (size_t i = 0; i < result.size(); ++i) result[i] = result[i] && found[i];
  }
  return result;
}

std::vector<bool> TextFilter::holding(const std::string& word) const {
  std::vector<bool> found(ends_.size(), false);
  size_t line = 0;
  for (size_t at = 0; at < text_.size();) {
    const void* const hit = memmem(text_.data() + at, text_.size() - at, word.data(), word.size());
    if (hit == nullptr) break;
    const auto position = static_cast<size_t>(static_cast<const char*>(hit) - text_.data());
    while (ends_[line] <= position) ++line;
    found[line] = true;
    at = ends_[line];
  }
  return found;
}

}  // namespace jitscope::gui
