#include "analyzer/query.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/answer_forms.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr const char* kEndless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";
/// Doubles what it holds at each step and gives no row.
constexpr const char* kHoarding =
    "WITH RECURSIVE c(x) AS (SELECT randomblob(1000) UNION ALL SELECT randomblob(1000) FROM c, "
    "(SELECT 1 UNION ALL SELECT 2)) SELECT count(*) FROM c";

/// An answer written in a form, and how it was handed on.
struct Written {
  std::string text;
  size_t pieces = 0;
  trace::Result<void> result;
};

class Query : public testing::Test {
 protected:
  Written ask(const std::string& sql, const char* form, size_t mostRows = 0,
              const QueryBounds& bounds = {}) {
    Written written;
    const std::unique_ptr<AnswerWriter> writer =
        answerWriter(form, mostRows, [&](std::string_view piece) {
          ++written.pieces;
          written.text += piece;
          return true;
        });
    written.result = query(run_, analysis_, sql, *writer, bounds);
    if (written.result) writer->finish();
    return written;
  }

  analyzer::Run run_ = runOf(kServiceRows);
  Analysis analysis_ = analyze(run_);
};

TEST_F(Query, HandsOnEachRowOfCsvAndJsonAsItComes) {
  const std::string sql = std::string(kEndless) + " LIMIT 1000";
  EXPECT_EQ(ask(sql, "csv").pieces, 1001U);
  const Written json = ask(sql, "json");
  EXPECT_GE(json.pieces, 1001U);
  EXPECT_EQ(nlohmann::json::parse(json.text).size(), 1000U);
  EXPECT_EQ(nlohmann::json::parse(json.text)[999], nlohmann::json::parse(R"({"x": 1000})"));
}

TEST_F(Query, EndsWhenAStopIsRequestedThoughItGivesNoRow) {
  std::stop_source stop;
  stop.request_stop();
  const std::string sql = "SELECT count(*) FROM (" + std::string(kEndless) + ")";
  const Written written = ask(sql, "csv", 0, {.stop = stop.get_token()});
  ASSERT_FALSE(written.result);
  EXPECT_EQ(written.result.error().text, "stopped");
}

TEST_F(Query, NamesTheColumnsOfItsTables) {
  for (const QueryTable& table : queryTables()) {
    const std::string sql = "SELECT * FROM \"" + std::string(table.name) + "\" LIMIT 0";
    std::string names;
    for (const std::string_view column : table.columns)
      names += (names.empty() ? "" : ",") + std::string(column);
    EXPECT_EQ(ask(sql, "csv").text, names + "\n") << table.name;
  }
}

TEST_F(Query, EndsWhenNobodyReadsOn) {
  size_t pieces = 0;
  const std::unique_ptr<AnswerWriter> writer =
      answerWriter("csv", 0, [&](std::string_view) { return ++pieces < 10; });
  EXPECT_TRUE(query(run_, analysis_, kEndless, *writer));
  EXPECT_EQ(pieces, 10U);
}

TEST_F(Query, ShowsOnlyTheFirstRowsOfAnEndlessAnswer) {
  const Written table = ask(kEndless, "table", 3);
  EXPECT_EQ(table.text, "  x\n  1\n  2\n  3\n  only the first 3 rows, --limit 0 shows all\n");
  EXPECT_EQ(ask(kEndless, "csv", 2).text, "x\n1\n2\n");
  EXPECT_EQ(ask(kEndless, "json", 1).text, "[\n{\"x\": 1}\n]\n");
  const std::string three = std::string(kEndless) + " LIMIT 3";
  EXPECT_EQ(ask(three, "table", 3).text, "  x\n  1\n  2\n  3\n");
}

TEST_F(Query, IsValidWithoutRows) {
  const std::string sql = "SELECT 1 AS x WHERE 0";
  EXPECT_EQ(ask(sql, "table").text, "no rows\n");
  EXPECT_EQ(ask(sql, "csv").text, "x\n");
  EXPECT_EQ(nlohmann::json::parse(ask(sql, "json").text), nlohmann::json::array());
}

TEST_F(Query, ShortensTextsInTablesOnly) {
  const std::string sql = "SELECT printf('%.*c', 5000, 'x') AS long, NULL AS none, 1 AS n";
  EXPECT_LT(ask(sql, "table").text.size(), 1000U);
  EXPECT_GT(ask(sql, "csv").text.size(), 5000U);
  EXPECT_EQ(nlohmann::json::parse(ask(sql, "json").text)[0]["long"].get<std::string>().size(),
            5000U);
}

TEST_F(Query, SetsColumnsOfNumbersToTheRightAlsoBehindNothing) {
  EXPECT_EQ(ask("SELECT NULL AS number UNION ALL SELECT 7", "table").text,
            "  number\n\n       7\n");
  EXPECT_EQ(ask("SELECT NULL AS word UNION ALL SELECT 'a'", "table").text, "  word\n\n  a\n");
}

TEST_F(Query, TakesNoMoreMemoryThanItMay) {
  QueryBounds bounds;
  bounds.mostMemoryBytes = 32 << 20;
  const Written written = ask(kHoarding, "csv", 0, bounds);
  ASSERT_FALSE(written.result);
  EXPECT_EQ(
      written.result.error().text,
      "the query needs more than 33.6 MB of memory: ask for fewer rows or columns before they "
      "are sorted or grouped");
  bounds.moreMemory = "wait for a larger machine";
  EXPECT_TRUE(ask(kHoarding, "csv", 0, bounds)
                  .result.error()
                  .text.ends_with("sorted or grouped, or wait for a larger machine"));
  // The limit ends with the query.
  EXPECT_TRUE(ask("SELECT length(randomblob(60000000))", "csv").result);
}

TEST_F(Query, RefusesEveryStatementThatWritesOrReachesOut) {
  for (const char* sql : {"CREATE TABLE x (y)",
                          "CREATE TEMP TABLE x (y)",
                          "CREATE VIEW x AS SELECT 1",
                          "DROP TABLE finding",
                          "DELETE FROM finding",
                          "UPDATE finding SET id = ''",
                          "INSERT INTO finding (id) VALUES ('x')",
                          "INSERT INTO kernel (name) VALUES ('x')",
                          "REPLACE INTO finding (id) VALUES ('x')",
                          "ATTACH 'x.db' AS x",
                          "DETACH main",
                          "VACUUM",
                          "VACUUM INTO 'x.db'",
                          "PRAGMA journal_mode = DELETE",
                          "PRAGMA temp_store_directory = '/'",
                          "ANALYZE",
                          "BEGIN",
                          "SAVEPOINT x",
                          "SELECT load_extension('x')",
                          "CREATE VIRTUAL TABLE x USING fts5(y)",
                          "ALTER TABLE finding RENAME TO x",
                          "CREATE TRIGGER x AFTER DELETE ON finding BEGIN SELECT 1; END"}) {
    const Written written = ask(sql, "csv");
    ASSERT_FALSE(written.result) << sql;
    EXPECT_NE(written.result.error().text.find("write a SELECT"), std::string::npos)
        << sql << ": " << written.result.error().text;
    EXPECT_EQ(written.text, "") << sql;
  }
  EXPECT_FALSE(ask("SELECT * FROM pragma_database_list", "csv").result);
  EXPECT_NE(ask("SELECT count(*) FROM finding", "csv").text, "count(*)\n0\n");
}

TEST_F(Query, EscapesNamesAndTextsOfEveryForm) {
  const std::string sql = "SELECT 'a\"b,' || char(10) AS \"c\"\"d,\"";
  EXPECT_EQ(ask(sql, "csv").text, "\"c\"\"d,\"\n\"a\"\"b,\n\"\n");
  EXPECT_EQ(nlohmann::json::parse(ask(sql, "json").text)[0]["c\"d,"], "a\"b,\n");
  EXPECT_TRUE(nlohmann::json::accept(ask("SELECT CAST(x'ff00' AS TEXT) AS x, 9e999 AS y, "
                                         "-1e300 AS z",
                                         "json")
                                         .text));
}

}  // namespace
}  // namespace jitscope::analyzer
