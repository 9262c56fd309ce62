#include "analyzer/import/nsys_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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

}  // namespace

trace::Result<NsysTables> NsysTables::of(Database& database) {
  trace::Result<Statement> names = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE "
      "'\\' AND sql LIKE 'CREATE TABLE%' ORDER BY name");
  if (!names) return names.error();
  NsysTables tables(database);
  while (true) {
    const trace::Result<bool> stepped = names->step();
    if (!stepped) return stepped.error();
    if (!*stepped) return tables;
    tables.names_.emplace_back(names->text(0));
  }
}

bool NsysTables::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string NsysTables::withPrefix(std::string_view prefix) const {
  if (has(prefix)) return std::string(prefix);
  const auto found = std::find_if(names_.begin(), names_.end(), [&](const std::string& name) {
    return name.starts_with(prefix);
  });
  return found == names_.end() ? std::string() : *found;
}

int64_t NsysTables::rowCount(std::string_view name) const {
  if (!has(name)) return 0;
  trace::Result<Statement> count =
      database_->prepare(fmt::format("SELECT count(*) FROM {}", sqlName(name)));
  if (!count) return 0;
  const trace::Result<bool> stepped = count->step();
  return stepped && *stepped ? count->integer(0) : 0;
}

std::optional<trace::Result<Statement>> NsysTables::select(
    std::string_view name, const std::vector<std::string>& columns) const {
  if (!has(name)) return std::nullopt;
  trace::Result<Statement> info =
      database_->prepare(fmt::format("PRAGMA table_info({})", sqlName(name)));
  if (!info) return trace::Result<Statement>(info.error());
  std::set<std::string, std::less<>> known;
  constexpr size_t kName = 1;
  while (true) {
    const trace::Result<bool> stepped = info->step();
    if (!stepped) return trace::Result<Statement>(stepped.error());
    if (!*stepped) break;
    known.emplace(info->text(kName));
  }
  std::string list;
  for (const std::string& column : columns) {
    if (!list.empty()) list += ", ";
    list += known.contains(column) ? sqlName(column) : "NULL";
  }
  return database_->prepare(fmt::format("SELECT {} FROM {}", list, sqlName(name)));
}

}  // namespace jitscope::analyzer
