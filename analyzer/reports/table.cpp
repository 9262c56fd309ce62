#include "analyzer/reports/table.h"

#include <algorithm>

#include "analyzer/reports/shortened.h"
#include "analyzer/reports/utf8.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// Whether a terminal or a page would obey a character instead of showing it: controls (C0, delete,
/// C1) and those that turn the direction of the text around them, so that it reads as another.
bool isObeyed(uint32_t code) {
  const auto isIn = [&](uint32_t first, uint32_t last) { return code >= first && code <= last; };
  return code < ' ' || isIn(0x7F, 0x9F) || isIn(0x202A, 0x202E) || isIn(0x2066, 0x2069);
}

void appendCell(std::string& line, std::string_view cell, size_t width, bool isNumber) {
  const std::string padding(width - displayWidth(cell), ' ');
  if (isNumber) line += padding;
  line += cell;
  if (!isNumber) line += padding;
}

std::string withoutTrailingBlanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// A cell as a line can show it.
std::string shown(std::string_view cell) { return printable(shortened(cell, kLongestCell)); }

/// How wide the columns are; at least 1, so that each has a place.
std::vector<size_t> widthsOf(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size(), 1);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayWidth(row[i]));
  }
  return widths;
}

/// The widths with the widest texts taken back until a line fits into `width`. Numbers stay whole.
std::vector<size_t> fitted(const Table& table, std::vector<size_t> widths, size_t width) {
  constexpr size_t kNarrowest = 12;
  if (width == 0) return widths;
  size_t total = 2 * widths.size();
  for (const size_t each : widths) total += each;
  while (total > width) {
    size_t* widest = nullptr;
    for (size_t i = 0; i < widths.size(); ++i) {
      const bool mayShrink = !table.columns[i].isNumber && widths[i] > kNarrowest;
      if (mayShrink && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
    }
    if (widest == nullptr) break;
    --*widest;
    --total;
  }
  return widths;
}

}  // namespace

size_t displayWidth(std::string_view text) {
  const auto isContinuation = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  };
  return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), isContinuation));
}

std::string textTable(const Table& table, size_t width) {
  if (table.rows.empty()) return {};
  std::vector<std::vector<std::string>> rows(1);
  for (const Table::Column& column : table.columns) rows[0].push_back(shown(column.header));
  for (const auto& row : table.rows) {
    auto& cells = rows.emplace_back();
    for (const std::string& cell : row) cells.push_back(shown(cell));
  }
  const std::vector<size_t> widths = fitted(table, widthsOf(rows), width);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += "  ";
      appendCell(line, shortened(row[i], widths[i]), widths[i], table.columns[i].isNumber);
    }
    text += withoutTrailingBlanks(std::move(line)) + "\n";
  }
  if (!table.note.empty()) text += "  " + shown(table.note) + "\n";
  return text;
}

std::string markdownTable(const Table& table) {
  if (table.rows.empty()) return {};
  std::string header = "|", rule = "|";
  for (const Table::Column& column : table.columns) {
    header += " " + markdownEscaped(column.header) + " |";
    rule += column.isNumber ? " ---: |" : " --- |";
  }
  std::string text = header + "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += '|';
    for (const std::string& cell : row)
      text += " " + markdownEscaped(shortened(cell, kLongestCell)) + " |";
    text += '\n';
  }
  if (!table.note.empty()) text += "\n" + markdownEscaped(table.note) + "\n";
  return text;
}

void keepFirst(Table& table, size_t mostRows) {
  if (mostRows == 0 || table.rows.size() <= mostRows) return;
  const auto more = static_cast<int64_t>(table.rows.size() - mostRows);
  table.note = "and " + countText(more) + " more" + (table.note.empty() ? "" : "; " + table.note);
  table.rows.resize(mostRows);
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character next = firstCharacter(text);
    if (next.code == '\n' || next.code == '\t')
      result += ' ';
    else if (next.length == 0 || isObeyed(next.code))
      result += '?';
    else
      result += text.substr(0, next.length);
    text.remove_prefix(std::max<size_t>(next.length, 1));
  }
  return result;
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (word.empty()) continue;
    if (!line.empty() && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string markdownEscaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_|<>[]#&").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace jitscope::analyzer
