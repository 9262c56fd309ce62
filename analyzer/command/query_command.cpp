#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/arguments.h"
#include "analyzer/command/interruption.h"
#include "analyzer/command/loading.h"
#include "analyzer/command/output.h"
#include "analyzer/query/query.h"
#include "analyzer/reports/table.h"
#include "analyzer/run.h"
#include "analyzer/tables/csv.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "query";

std::string cellText(const QueryAnswer::Cell& cell) {
  struct Visitor {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return value; }
  };
  return std::visit(Visitor{}, cell);
}

std::string asTable(const QueryAnswer& answer) {
  Table table;
  for (size_t i = 0; i < answer.columns.size(); ++i) {
    const bool isNumber =
        !answer.rows.empty() && !std::holds_alternative<std::string>(answer.rows.front()[i]);
    table.columns.push_back({answer.columns[i], isNumber});
  }
  for (const auto& row : answer.rows) {
    auto& cells = table.rows.emplace_back();
    for (const QueryAnswer::Cell& cell : row) cells.push_back(cellText(cell));
  }
  return answer.rows.empty() ? "no rows\n" : textTable(table);
}

std::string asCsv(const QueryAnswer& answer) {
  std::string text;
  const auto addLine = [&](const auto& cells, auto textOf) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text += ',';
      appendCsvCell(text, textOf(cells[i]));
    }
    text += "\n";
  };
  addLine(answer.columns, [](const std::string& name) { return name; });
  for (const auto& row : answer.rows) addLine(row, cellText);
  return text;
}

/// The names with a number behind those that stand there already, for the members of an object.
std::vector<std::string> distinct(const std::vector<std::string>& names) {
  const std::set<std::string> given(names.begin(), names.end());
  std::set<std::string> taken;
  std::vector<std::string> result;
  for (const std::string& name : names) {
    std::string free = name;
    for (int number = 2; taken.contains(free) || (free != name && given.contains(free)); ++number)
      free = fmt::format("{}_{}", name, number);
    taken.insert(free);
    result.push_back(std::move(free));
  }
  return result;
}

std::string asJson(const QueryAnswer& answer) {
  using Json = nlohmann::ordered_json;
  struct Visitor {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(int64_t value) const { return value; }
    Json operator()(double value) const { return std::isfinite(value) ? Json(value) : Json(); }
    Json operator()(const std::string& value) const { return value; }
  };
  const std::vector<std::string> members = distinct(answer.columns);
  Json rows = Json::array();
  for (const auto& row : answer.rows) {
    Json object = Json::object();
    for (size_t i = 0; i < row.size(); ++i) object[members[i]] = std::visit(Visitor{}, row[i]);
    rows.push_back(std::move(object));
  }
  constexpr int kIndent = 2;
  return rows.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct Form {
  std::string_view name;
  std::string (*render)(const QueryAnswer& answer);
};

constexpr std::array kForms{Form{"table", asTable}, Form{"csv", asCsv}, Form{"json", asJson}};

std::vector<std::string_view> formNames() {
  std::vector<std::string_view> names;
  names.reserve(kForms.size());
  for (const Form& form : kForms) names.push_back(form.name);
  return names;
}

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
      "{}\n"
      "  jitscope query run.jitscope \"SELECT name, count(*), sum(end_ns - start_ns) AS ns FROM\n"
      "    kernel GROUP BY name ORDER BY ns DESC LIMIT 10\"\n",
      fmt::join(formNames(), "|"), tableLines(), Loading::help());
}

/// What a command line asks for.
struct Request {
  std::string path, sql, outputPath, format = "table";
  Loading loading;
  bool wantsHelp = false;
};

trace::Result<void> takeWord(Request& request, const std::string& word) {
  if (request.path.empty()) return takeOnlyPath(request.path, word);
  if (!request.sql.empty())
    return trace::Error{fmt::format("one PATH and one query only, '{}' is one too many", word)};
  if (word.empty()) return trace::Error{"the query is empty"};
  request.sql = word;
  return {};
}

trace::Result<Request> parse(std::span<const std::string> arguments) {
  Request request;
  std::vector<Option> options{
      textOption("--format", request.format),
      Option{"--output", "-o", true, textOption("-o", request.outputPath).take},
      switchOption("--help", "-h", request.wantsHelp),
  };
  for (Option& option : request.loading.options()) options.push_back(std::move(option));
  const trace::Result<void> read =
      readArguments(arguments, options, [&](const auto& word) { return takeWord(request, word); });
  if (!read) return read.error();
  if (request.wantsHelp) return request;
  if (request.path.empty()) return missingPath();
  if (request.sql.empty()) return trace::Error{"no query given, it takes \"SELECT …\""};
  for (const Form& form : kForms) {
    if (form.name == request.format) return request;
  }
  return trace::unknownWord("format", request.format, formNames());
}

std::string render(const QueryAnswer& answer, std::string_view format) {
  for (const Form& form : kForms) {
    if (form.name == format) return form.render(answer);
  }
  return {};
}

}  // namespace

int queryCommand(std::span<const std::string> arguments, std::ostream& output,
                 std::ostream& errors) {
  const trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  if (request->wantsHelp) {
    output << helpText() << std::flush;
    return kDone;
  }
  const trace::Result<Run> run = request->loading.load(request->path, errors);
  if (!run) return fail(errors, "", run.error(), kBadInput);
  if (isRecording(*run, request->outputPath))
    return fail(errors, kCommand, {request->outputPath + ": is the recording itself"}, kUsage);
  const trace::Result<QueryAnswer> answer = query(*run, analyze(*run), request->sql);
  if (!answer) return fail(errors, kCommand, answer.error(), kUsage);
  const bool isDamaged = tellDamage(*run, errors);
  const trace::Result<void> written =
      writeOutput(render(*answer, request->format), request->outputPath, "the answer", output);
  if (!written) return fail(errors, kCommand, written.error(), kUsage);
  return isDamaged ? kBadInput : kDone;
}

int queryCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return queryCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
