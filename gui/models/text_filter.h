#pragma once

#include <QString>
#include <string>
#include <vector>

namespace jitscope::gui {

/// Finds among a million lines those that hold what somebody types. Never changes once all lines
/// are added: any thread may search.
class TextFilter {
 public:
  /// Adds the text of the next line.
  void add(const QString& text);
  size_t lineCount() const { return ends_.size(); }

  /// Whether each line holds all words of `wanted`, whatever their case; all do for none.
  std::vector<bool> matching(const QString& wanted) const;

 private:
  std::vector<bool> holding(const std::string& word) const;

  std::string text_;  ///< all lines in lower case, each with its end of line
  std::vector<size_t> ends_;
};

}  // namespace jitscope::gui
