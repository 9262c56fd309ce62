#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/answer_forms.h"
#include "analyzer/cli.h"
#include "analyzer/command/frame.h"
#include "analyzer/command/interruption.h"
#include "analyzer/query.h"
#include "analyzer/reports/table.h"
#include "analyzer/run.h"
#include "trace/closest_word.h"
#include "trace/parse_amount.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "query";

/// The names of all tables in indented lines.
std::string tableLines() {
  constexpr size_t kWidth = 76;
  std::string names, lines;
  for (const std::string_view name : queryTableNames()) names += fmt::format("{} ", name);
  for (const std::string& line : wrapped(names, kWidth)) lines += "  " + line + "\n";
  return lines;
}

std::string helpText() {
  return fmt::format(
      "usage: jitscope query PATH \"SELECT …\" [--format {}] [-o FILE] [options]\n"
      "\n"
      "Answers SQL (SQLite's) over the tables of a run: those of trace/schema.h, each with the\n"
      "column process in front (its position in the table process), and finding:\n"
      "{}"
      "With LIMIT 0 and --format csv, SELECT * FROM TABLE names the columns of a table.\n"
      "\n"
      "  PATH               a run as `jitscope report` takes it\n"
      "  --format           form of the answer; table if not given\n"
      "  -o FILE            write to FILE instead of standard output\n"
      "  --limit N          at most N rows, 0 for all; if not given, a table shows 200, CSV and\n"
      "                     JSON all. A table shortens long texts, CSV and JSON hold all of them\n"
      "  --most-memory SIZE what SQLite may use to answer (1 GiB), e.g. to sort\n"
      "{}\n"
      "  jitscope query run.jitscope \"SELECT name, count(*), sum(end_ns - start_ns) AS ns FROM\n"
      "    kernel GROUP BY name ORDER BY ns DESC LIMIT 10\"\n",
      fmt::join(answerFormNames(), "|"), tableLines(), Loading::help());
}

/// What a command line asks for.
struct Request {
  std::string path, sql, outputPath, format = "table";
  std::optional<size_t> mostRows;
  QueryBounds bounds;
  Loading loading;
};

trace::Result<void> takeWord(Request& request, const std::string& word) {
  if (request.path.empty()) return takeOnlyPath(request.path, word);
  if (!request.sql.empty())
    return trace::Error{fmt::format("one PATH and one query only, '{}' is one too many", word)};
  if (word.empty()) return trace::Error{"the query is empty"};
  request.sql = word;
  return {};
}

trace::Result<void> takeMostMemory(Request& request, const std::string& text) {
  const std::optional<uint64_t> bytes = trace::parseSize(text);
  constexpr uint64_t kLeast = 4 << 20;  // SQLite and the query's text themselves need some
  if (!bytes || *bytes < kLeast) {
    return trace::Error{fmt::format(
        "--most-memory takes a size of 4MiB or more, such as 500MB or 4GiB, not '{}'", text)};
  }
  request.bounds.mostMemoryBytes = static_cast<int64_t>(*bytes);
  return {};
}

std::vector<Option> optionsOf(Request& request) {
  return {textOption("--format", request.format), outputOption(request.outputPath),
          countOrZeroOption("--limit", request.mostRows),
          Option{"--most-memory", "", true,
                 [&](const auto& text) { return takeMostMemory(request, text); }}};
}

/// Whether a command line says all that is needed.
trace::Result<void> complete(const Request& request) {
  if (trace::Result<void> needed = needPath(request.path); !needed) return needed;
  if (request.sql.empty()) return trace::Error{"no query given, it takes \"SELECT …\""};
  const std::vector<std::string_view> forms = answerFormNames();
  if (std::find(forms.begin(), forms.end(), request.format) != forms.end()) return {};
  return trace::unknownWord("format", request.format, forms);
}

/// Answers while rows come.
trace::Result<ExitStatus> answer(const Request& request, const Run& run, std::ostream& output) {
  AnswerOutput target(request.outputPath, "the answer", output);
  const auto write = [&](std::string_view text) { return target.write(text); };
  const std::unique_ptr<AnswerWriter> writer =
      answerWriter(request.format, request.mostRows.value_or(usualRows(request.format)), write);
  const trace::Result<void> answered =
      query(run, analyze(run), request.sql, *writer, request.bounds);
  if (!answered) return answered.error();
  writer->finish();
  const trace::Result<void> closed = target.close();
  if (!closed) return closed.error();
  return kDone;
}

}  // namespace

int queryCommand(std::span<const std::string> arguments, std::ostream& output,
                 std::ostream& errors) {
  Request request;
  request.bounds.moreMemory = "allow more with --most-memory";
  CommandLine line(kCommand, optionsOf(request), request.loading,
                   [&](const auto& word) { return takeWord(request, word); });
  if (const auto status = line.readOrEnd(
          arguments, [&] { return complete(request); }, helpText, output, errors))
    return *status;
  const Asked asked{kCommand, request.loading, request.path, {request.outputPath}};
  return answerFor(asked, errors, [&](const Run& run) { return answer(request, run, output); });
}

int queryCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return queryCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
