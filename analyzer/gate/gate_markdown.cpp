#include <fmt/format.h>

#include <utility>

#include "analyzer/gate/gate_tables.h"
#include "analyzer/gate/outputs.h"
#include "analyzer/reports/shortened.h"

namespace jitscope::analyzer {
namespace {

/// GitHub refuses a comment of more than 65,536 characters; GitLab's and others' are longer.
constexpr size_t kMostBytes = 65'000;

/// A comment that grows while there is room, and says what found none.
class Comment {
 public:
  /// Adds a block if it leaves `reserved` bytes; counts it otherwise.
  void add(const std::string& block, size_t reserved = kReserved) {
    const bool fits = text_.size() + block.size() + reserved <= kMostBytes;
    if (fits && leftOut_ == 0)
      text_ += block;
    else
      ++leftOut_;
  }

  /// Adds what must be there: it is small, and room was reserved for it.
  void addAlways(const std::string& block) { text_ += block; }

  /// Ends a group of blocks of the same kind: the next one may fit again.
  void endGroup(std::string_view what) {
    if (leftOut_ > 0)
      text_ += fmt::format(
          "\n_… and {} more {}: a comment has no room for them, the output of "
          "`jitscope check` has._\n",
          leftOut_, what);
    leftOut_ = 0;
  }

  std::string take() { return std::move(text_); }

 private:
  static constexpr size_t kReserved = 2000;

  std::string text_;
  size_t leftOut_ = 0;
};

std::string findingBlock(const Finding& finding) {
  constexpr size_t kLongest = 600;
  std::string block = fmt::format("\n**{}**\n\n", markdownEscaped(boundedTitle(finding)));
  for (const FindingLine& fact : boundedLines(finding))
    block +=
        fmt::format("- **{}**: {}\n", fact.label, markdownEscaped(shortened(fact.text, kLongest)));
  return block;
}

void addFindings(const GateVerdict& verdict, Comment& comment) {
  Table table = findingsTable(verdict);
  if (table.rows.empty()) return;
  const auto rows = std::exchange(table.rows, {});
  comment.addAlways(fmt::format("\n<details><summary>All {} findings</summary>\n\n", rows.size()));
  bool isFirst = true;
  for (const auto& row : rows) {
    table.rows = {row};
    std::string text = markdownTable(table);
    // A table of one row starts with its two lines of head, which stand once.
    if (!std::exchange(isFirst, false)) text.erase(0, text.find('\n', text.find('\n') + 1) + 1);
    comment.add(text);
  }
  comment.endGroup("findings");
  comment.addAlways("\n</details>\n");
}

void addList(std::string_view head, std::string_view mark, const std::vector<std::string>& lines,
             std::string_view what, Comment& comment) {
  constexpr size_t kLongest = 300;
  if (lines.empty()) return;
  comment.addAlways(std::string(head));
  for (const std::string& line : lines)
    comment.add(fmt::format("{}{}\n", mark, markdownEscaped(shortened(line, kLongest))));
  comment.endGroup(what);
}

}  // namespace

std::string gateMarkdown(const GateVerdict& verdict) {
  const Table limits = limitsTable(verdict);
  const std::string limitsText = limits.rows.empty() ? "" : "\n" + markdownTable(limits);
  Comment comment;
  comment.addAlways(fmt::format("### jitscope: {}\n", conclusion(verdict)));
  // What is over may fill most of the comment, not all: the limits and a list follow it.
  const size_t reserved = limitsText.size() + kMostBytes / 4;
  for (const FindingCheck& check : verdict.findings) {
    if (check.isOver) comment.add(findingBlock(*check.finding), reserved);
  }
  comment.endGroup("findings that are over");
  comment.addAlways(limitsText);
  addFindings(verdict, comment);
  addList("\nGone since the baseline:\n\n", "- ", verdict.gone, "that are gone", comment);
  addList("\n", "> ", verdict.notes, "notes", comment);
  return comment.take();
}

}  // namespace jitscope::analyzer
