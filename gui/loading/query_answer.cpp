#include "gui/loading/query_answer.h"

#include <cerrno>
#include <exception>
#include <fstream>
#include <mutex>

#include "analyzer/answer_forms.h"
#include "analyzer/query.h"
#include "gui/loading/run_text.h"

namespace jitscope::gui {
namespace {

/// One query at a time in a process: SQLite's bound of memory is one of the process.
std::mutex& onlyQuery() {
  static std::mutex mutex;
  return mutex;
}

/// Puts an answer into a sheet.
class SheetSink final : public analyzer::AnswerSink {
 public:
  explicit SheetSink(std::stop_token stop) : stop_(std::move(stop)) {}

  void columns(const std::vector<std::string>& names) override {
    for (const std::string& name : names) {
      SheetColumn& column = sheet_.columns.emplace_back();
      column.title = toLine(name);
      column.kind = ColumnKind::kNumber;
    }
    hasNumber_.resize(names.size());
  }

  bool row(std::span<const analyzer::QueryCell> cells) override {
    hasMore_ = sheet_.lines.size() == kMostAnswerRows;
    if (hasMore_ || stop_.stop_requested()) return false;
    SheetLine& line = sheet_.lines.emplace_back();
    for (size_t i = 0; i < cells.size(); ++i) line.cells.push_back(cellOf(cells[i], i));
    return true;
  }

  Sheet take() {
    for (size_t i = 0; i < sheet_.columns.size(); ++i) {
      if (!hasNumber_[i]) sheet_.columns[i].kind = ColumnKind::kCode;
    }
    if (sheet_.lines.empty()) sheet_.whyEmpty = "No rows.";
    return std::move(sheet_);
  }
  bool hasMore() const { return hasMore_; }

 private:
  SheetCell cellOf(const analyzer::QueryCell& cell, size_t column) {
    SheetCell shown{toText(analyzer::cellText(cell)), std::nullopt};
    if (const auto* whole = std::get_if<int64_t>(&cell)) shown.number = static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&cell)) shown.number = *real;
    if (std::holds_alternative<std::string_view>(cell))
      sheet_.columns[column].kind = ColumnKind::kCode;
    if (shown.number) hasNumber_[column] = true;
    return shown;
  }

  std::stop_token stop_;
  Sheet sheet_;
  std::vector<bool> hasNumber_;
  bool hasMore_ = false;
};

QString errorText(const trace::Error& error) {
  QString text = toLine(error.text);
  if (text.startsWith("no such column"))
    return text + "; type a table's name and a dot to see its columns";
  return text;
}

analyzer::QueryBounds boundsOf(const std::stop_token& stop, int64_t mostMemoryBytes) {
  return {mostMemoryBytes, stop, "use jitscope query --most-memory"};
}

}  // namespace

QueryAnswer answerOf(const Recording& recording, const std::string& sql,
                     const std::stop_token& stop, int64_t mostMemoryBytes) {
  const std::scoped_lock lock(onlyQuery());
  QueryAnswer answer;
  SheetSink sink(stop);
  const analyzer::QueryBounds bounds = boundsOf(stop, mostMemoryBytes);
  try {
    const auto done = analyzer::query(*recording.run, recording.analysis, sql, sink, bounds);
    answer.isStopped = stop.stop_requested();
    if (answer.isStopped) return answer;
    if (!done)
      answer.error = errorText(done.error());
    else
      answer.sheet = std::make_shared<const Sheet>(sink.take());
  } catch (const std::exception& error) {
    answer.error = error.what();
  }
  answer.hasMore = sink.hasMore();
  return answer;
}

SavedAnswer saveAnswer(const Recording& recording, const std::string& sql,
                       const std::filesystem::path& path, const std::stop_token& stop) {
  const std::scoped_lock lock(onlyQuery());
  const QString name = toLine(path.string());
  for (const analyzer::Input& input : recording.run->inputs) {
    std::error_code absent;
    if (std::filesystem::equivalent(input.path, path, absent))
      return {name + ": is the recording, name another file"};
  }
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (!file) return {name + ": cannot write the answer: " + qt_error_string(errno)};
  const auto write = [&](std::string_view text) {
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    return static_cast<bool>(file) && !stop.stop_requested();
  };
  const analyzer::QueryBounds bounds = boundsOf(stop, kMostQueryBytes);
  const auto writer = analyzer::answerWriter("csv", 0, write);
  const auto done = analyzer::query(*recording.run, recording.analysis, sql, *writer, bounds);
  if (done) writer->finish();
  file.close();
  SavedAnswer saved;
  saved.isStopped = stop.stop_requested();
  if (!done && !saved.isStopped)
    saved.error = errorText(done.error());
  else if (!file && !saved.isStopped)
    saved.error = name + ": cannot write the answer: " + qt_error_string(errno);
  std::error_code ignored;
  const bool isWhole = saved.error.isEmpty() && !saved.isStopped;
  // Half an answer is of no use; a device stays.
  if (!isWhole && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  return saved;
}

std::vector<SqlTable> sqlTables() {
  std::vector<SqlTable> tables;
  for (const analyzer::QueryTable& table : analyzer::queryTables()) {
    SqlTable& shown = tables.emplace_back();
    shown.name = toLine(table.name);
    for (const std::string_view column : table.columns) shown.columns << toLine(column);
  }
  return tables;
}

QString firstQuery(const Recording& recording) {
  const analyzer::Run& run = *recording.run;
  const bool hasKernels = run.kernelCount() > 0;
  if (hasKernels || run.opCount() > 0) {
    return QString(
               "SELECT name, count(*) AS count, sum(end_ns - start_ns) AS total_ns,\n"
               "       max(end_ns - start_ns) AS max_ns\n"
               "FROM %1\nGROUP BY name\nORDER BY total_ns DESC\nLIMIT 100")
        .arg(hasKernels ? "kernel" : "op");
  }
  return "SELECT kind, title, count, file, line\nFROM finding";
}

}  // namespace jitscope::gui
