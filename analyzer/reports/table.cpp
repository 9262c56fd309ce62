#include "analyzer/reports/table.h"

#include <algorithm>

namespace jitscope::analyzer {
namespace {

void appendCell(std::string& line, std::string_view cell, size_t width, bool isNumber) {
  const std::string padding(width - displayWidth(cell), ' ');
  if (isNumber) line += padding;
  line += printable(cell);
  if (!isNumber) line += padding;
}

std::string withoutTrailingBlanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

size_t displayWidth(std::string_view text) {
  const auto isContinuation = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  };
  return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), isContinuation));
}

std::string textTable(const Table& table) {
  if (table.rows.empty()) return {};
  std::vector<size_t> widths;
  for (const Table::Column& column : table.columns) widths.push_back(displayWidth(column.header));
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayWidth(row[i]));
  }
  const auto lineOf = [&](auto cellAt) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      line += "  ";
      appendCell(line, cellAt(i), widths[i], table.columns[i].isNumber);
    }
    return withoutTrailingBlanks(std::move(line)) + "\n";
  };
  std::string text = lineOf([&](size_t i) -> std::string_view { return table.columns[i].header; });
  for (const auto& row : table.rows) {
    text += lineOf([&](size_t i) -> std::string_view { return row[i]; });
  }
  if (!table.note.empty()) text += "  " + table.note + "\n";
  return text;
}

std::string markdownTable(const Table& table) {
  if (table.rows.empty()) return {};
  std::string header = "|", rule = "|";
  for (const Table::Column& column : table.columns) {
    header += " " + column.header + " |";
    rule += column.isNumber ? " ---: |" : " --- |";
  }
  std::string text = header + "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += " " + markdownEscaped(cell) + " |";
    text += "\n";
  }
  if (!table.note.empty()) text += "\n" + markdownEscaped(table.note) + "\n";
  return text;
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    constexpr char kDelete = 0x7F;
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\n' || letter == '\t')
      letter = ' ';
    else if (code < ' ' || letter == kDelete)
      letter = '?';
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
  for (const char c : text) {
    if (std::string_view("\\`*_|<>[]#").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

}  // namespace jitscope::analyzer
