#include "analyzer/import/nsys_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::analyzer {
namespace {

/// A name as SQL quotes it.
std::string sqlName(std::string_view name) {
  std::string result = "\"";
  for (const char letter : name) {
    if (letter == '"') result += '"';
    result += letter;
  }
  return result + '"';
}

/// The only cell of a statement's only row.
trace::Result<int64_t> numberOf(Database& database, std::string_view sql) {
  trace::Result<Statement> statement = database.prepare(sql);
  if (!statement) return statement.error();
  const trace::Result<bool> stepped = statement->step();
  if (!stepped) return stepped.error();
  return *stepped ? statement->integer(0) : 0;
}

char lowerCase(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

bool isSameSqlName(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lowerCase(a) == lowerCase(b); });
}

trace::Result<NsysTables> NsysTables::of(Database& database) {
  trace::Result<Statement> names = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE "
      "'\\' AND sql LIKE 'CREATE TABLE%' ORDER BY name LIMIT 4096");
  if (!names) return names.error();
  const trace::Result<int64_t> pages = numberOf(database, "PRAGMA page_count");
  if (!pages) return pages.error();
  const trace::Result<int64_t> pageBytes = numberOf(database, "PRAGMA page_size");
  if (!pageBytes) return pageBytes.error();
  NsysTables tables(database, *pages * *pageBytes);
  while (true) {
    const trace::Result<bool> stepped = names->step();
    if (!stepped) return stepped.error();
    if (!*stepped) return tables;
    tables.names_.emplace_back(names->text(0));
  }
}

bool NsysTables::has(std::string_view name) const {
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& each) { return isSameSqlName(each, name); });
}

std::string NsysTables::withPrefix(std::string_view prefix) const {
  if (has(prefix)) return std::string(prefix);
  const auto found = std::find_if(names_.begin(), names_.end(), [&](const std::string& name) {
    return isSameSqlName(std::string_view(name).substr(0, prefix.size()), prefix);
  });
  return found == names_.end() ? std::string() : *found;
}

int64_t NsysTables::mostRows() const {
  // A row's length, number and header take a byte each, and its place in the page two.
  constexpr int64_t kLeastRowBytes = 5;
  return fileBytes_ / kLeastRowBytes;
}

int64_t NsysTables::rowCount(std::string_view name) const {
  if (!has(name)) return 0;
  trace::Result<Statement> count = database_->prepare(
      fmt::format("SELECT count(*) FROM (SELECT 1 FROM {} LIMIT {})", sqlName(name), mostRows()));
  if (!count) return 0;
  const trace::Result<bool> stepped = count->step();
  return stepped && *stepped ? count->integer(0) : 0;
}

trace::Result<std::vector<std::string>> NsysTables::lacking(
    std::string_view name, const std::vector<std::string>& columns) const {
  if (!has(name)) return columns;
  trace::Result<Statement> info =
      database_->prepare(fmt::format("PRAGMA table_info({})", sqlName(name)));
  if (!info) return info.error();
  std::vector<std::string> absent = columns;
  constexpr size_t kName = 1;
  while (true) {
    const trace::Result<bool> stepped = info->step();
    if (!stepped) return stepped.error();
    if (!*stepped) return absent;
    std::erase_if(absent, [&](const auto& each) { return isSameSqlName(each, info->text(kName)); });
  }
}

std::optional<trace::Result<Statement>> NsysTables::select(
    std::string_view name, const std::vector<std::string>& columns) const {
  if (!has(name)) return std::nullopt;
  const trace::Result<std::vector<std::string>> absent = lacking(name, columns);
  if (!absent) return trace::Result<Statement>(absent.error());
  std::string list;
  for (const std::string& column : columns) {
    if (!list.empty()) list += ", ";
    const bool isAbsent = std::find(absent->begin(), absent->end(), column) != absent->end();
    list += isAbsent ? "NULL" : sqlName(column);
  }
  return database_->prepare(fmt::format("SELECT {} FROM {}", list, sqlName(name)));
}

}  // namespace jitscope::analyzer
