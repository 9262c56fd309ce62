#include "analyzer/query.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <initializer_list>

#include "analyzer/query/run_module.h"
#include "analyzer/sqlite/database.h"
#include "analyzer/units.h"
#include "trace/tables.h"

namespace jitscope::analyzer {
namespace {

/// A query may read what is shown to it, and nothing else: no files, no extensions, no writing.
int allowReading(void*, int action, const char*, const char* function, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return function != nullptr && std::string_view(function) == "load_extension" ? SQLITE_DENY
                                                                                   : SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

/// Asked now and then while SQLite works; not 0 ends it.
int isToStop(void* stop) {
  return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

/// The columns of `finding`: first those of text.
constexpr std::array<std::string_view, 8> kFindingTexts{"id",    "kind", "cause_class", "title",
                                                        "cause", "fix",  "certainty",   "file"};
constexpr std::array<std::string_view, 5> kFindingNumbers{"line", "count", "time_ns", "kernels",
                                                          "bytes"};

/// The findings as an ordinary table: there are few of them.
trace::Result<void> addFindings(Database& database, const Analysis& analysis) {
  trace::Result<void> made = database.run(fmt::format("CREATE TABLE finding ({} TEXT, {} INTEGER)",
                                                      fmt::join(kFindingTexts, " TEXT, "),
                                                      fmt::join(kFindingNumbers, " INTEGER, ")));
  if (!made) return made;
  trace::Result<Statement> insert =
      database.prepare("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  for (const Finding& each : analysis.findings) {
    size_t next = 0;
    for (const std::string_view text :
         {std::string_view(each.id), name(each.kind), std::string_view(each.causeClass),
          std::string_view(each.advice.title), std::string_view(each.advice.cause),
          std::string_view(each.advice.fix), name(each.advice.certainty),
          std::string_view(each.place.file)})
      insert->bind(next++, text);
    for (const int64_t number : std::initializer_list<int64_t>{
             each.place.line, each.count(), each.cost.timeNs, each.cost.kernels, each.cost.bytes})
      insert->bind(next++, number);
    const trace::Result<bool> stepped = insert->step();
    if (!stepped) return stepped.error();
    insert->reset();
  }
  return {};
}

QueryCell cellOf(const Statement& statement, size_t column) {
  switch (statement.type(column)) {
    case Statement::CellType::kNull:
      return std::monostate();
    case Statement::CellType::kInteger:
      return statement.integer(column);
    case Statement::CellType::kReal:
      return statement.real(column);
    case Statement::CellType::kText:
    case Statement::CellType::kBlob:
      break;
  }
  return statement.text(column);
}

trace::Result<void> answer(Statement& statement, AnswerSink& sink) {
  std::vector<std::string> columns;
  for (size_t i = 0; i < statement.columnCount(); ++i)
    columns.emplace_back(statement.columnName(i));
  sink.columns(columns);
  std::vector<QueryCell> cells(columns.size());
  while (true) {
    const trace::Result<bool> stepped = statement.step();
    if (!stepped) return stepped.error();
    if (!*stepped) return {};
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = cellOf(statement, i);
    if (!sink.row(cells)) return {};
  }
}

/// Bounds what SQLite may use while it lives; the limit of memory is one of the whole process.
class Bounded {
 public:
  explicit Bounded(const QueryBounds& bounds)
      : before_(sqlite3_hard_heap_limit64(bounds.mostMemoryBytes)) {}
  ~Bounded() { sqlite3_hard_heap_limit64(before_); }
  Bounded(const Bounded&) = delete;
  Bounded& operator=(const Bounded&) = delete;

  /// Has the database hold in memory, where it is counted, what it would else put into files that
  /// nobody bounds.
  static trace::Result<void> apply(Database& database) {
    constexpr int kLongestText = 256 << 20;
    sqlite3_limit(database.handle(), SQLITE_LIMIT_LENGTH, kLongestText);
    return database.run("PRAGMA temp_store = MEMORY");
  }

 private:
  sqlite3_int64 before_;
};

constexpr const char* kReadsOnly =
    "not allowed: a query reads the tables of the run, and changes, opens and loads nothing; write "
    "a SELECT, or change the copy that `jitscope export PATH --to sqlite -o FILE` makes";

/// What happened, in place of what SQLite says.
trace::Error explained(trace::Error error, const Database& database, const QueryBounds& bounds) {
  const int code = sqlite3_errcode(database.handle());
  if (code == SQLITE_INTERRUPT) return {"stopped"};
  if (code == SQLITE_NOMEM)
    return {fmt::format(
        "the query needs more than {} of memory: ask for fewer rows or columns before they are "
        "sorted or grouped{}{}",
        bytesText(bounds.mostMemoryBytes), bounds.moreMemory.empty() ? "" : ", or ",
        bounds.moreMemory)};
  if (code == SQLITE_AUTH || error.text.starts_with("not authorized")) return {kReadsOnly};
  return error;
}

trace::Error withTableNames(trace::Error error) {
  if (error.text.starts_with("no such table"))
    error.text += fmt::format("; there are {}", fmt::join(queryTableNames(), ", "));
  return error;
}

}  // namespace

std::vector<QueryTable> queryTables() {
  QueryTable finding{"finding", {kFindingTexts.begin(), kFindingTexts.end()}};
  finding.columns.insert(finding.columns.end(), kFindingNumbers.begin(), kFindingNumbers.end());
  std::vector<QueryTable> tables{std::move(finding)};
  for (const trace::TableDescription& table : trace::knownTables()) {
    QueryTable& shown = tables.emplace_back(QueryTable{table.name, {"process"}});
    for (const trace::ColumnDescription& column : table.columns)
      shown.columns.push_back(column.name);
  }
  return tables;
}

std::vector<std::string_view> queryTableNames() {
  std::vector<std::string_view> names;
  for (const QueryTable& table : queryTables()) names.push_back(table.name);
  return names;
}

trace::Result<void> query(const Run& run, const Analysis& analysis, const std::string& sql,
                          AnswerSink& sink, const QueryBounds& bounds) {
  const Bounded bounded(bounds);
  const std::vector<RunTable> tables = runTables(run);
  trace::Result<Database> database = Database::inMemory();
  if (!database) return database.error();
  if (trace::Result<void> applied = Bounded::apply(*database); !applied) return applied;
  if (trace::Result<void> shown = showTables(*database, tables); !shown)
    return explained(shown.error(), *database, bounds);
  if (trace::Result<void> added = addFindings(*database, analysis); !added)
    return explained(added.error(), *database, bounds);
  sqlite3_set_authorizer(database->handle(), allowReading, nullptr);
  constexpr int kInstructions = 10'000;
  std::stop_token stop = bounds.stop;
  sqlite3_progress_handler(database->handle(), kInstructions, isToStop, &stop);
  std::string rest;
  trace::Result<Statement> statement = database->prepare(sql, &rest);
  if (!statement) return withTableNames(explained(statement.error(), *database, bounds));
  if (!statement->isReadOnly()) return trace::Error{kReadsOnly};
  if (database->hasStatement(rest))
    return trace::Error{"one statement only: leave out what follows the first semicolon"};
  const trace::Result<void> answered = answer(*statement, sink);
  return answered ? answered : explained(answered.error(), *database, bounds);
}

}  // namespace jitscope::analyzer
