#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// A table of a report before it has a form: what text and Markdown print alike.
struct Table {
  struct Column {
    std::string header;
    bool isNumber = false;  ///< set to the right
  };

  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
  std::string note;                            ///< one line below it; may be empty
};

/// A cell without a value.
inline constexpr const char* kNothing = "-";

/// The longest text of a cell, in characters; what is longer is shortened in every form of a table.
inline constexpr size_t kLongestCell = 200;

/// The table with aligned columns for a terminal, each line indented by two blanks. Texts are
/// shortened until lines have `width` characters, as far as that leaves something of them; 0: lines
/// are as long as they need. Nothing for a table without rows.
std::string textTable(const Table& table, size_t width = 0);

/// The table in Markdown. Nothing for a table without rows.
std::string markdownTable(const Table& table);

/// Cuts a table to its first rows (0: none is cut) and says in its note how many more there are.
void keepFirst(Table& table, size_t mostRows);

/// How many columns of a terminal a UTF-8 text takes (one per character).
size_t displayWidth(std::string_view text);

/// `text` with what a terminal would obey, and what is no UTF-8, as '?'; ends of lines as blanks.
std::string printable(std::string_view text);

/// `text` in lines of at most `width` characters, broken at blanks. Words that are longer stay
/// whole.
std::vector<std::string> wrapped(std::string_view text, size_t width);

/// `printable(text)` with the characters that Markdown would read as markup made plain.
std::string markdownEscaped(std::string_view text);

}  // namespace jitscope::analyzer
