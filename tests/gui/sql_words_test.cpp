#include "gui/models/sql_words.h"

#include <gtest/gtest.h>

#include "gui/models/query_history.h"

namespace jitscope::gui {
namespace {

/// Completions where the bar stands.
std::string completed(QString text) {
  static const std::vector<SqlTable> kTables{{"kernel", {"process", "start_ns", "name"}},
                                             {"op", {"process", "depth", "name"}},
                                             {"finding", {"id", "kind"}}};
  const qsizetype at = text.indexOf('|');
  return sqlCompletions(kTables, text.remove(at, 1), at).join(' ').toStdString();
}

TEST(SqlWords, OffersTablesBehindFromAndJoin) {
  EXPECT_EQ(completed("SELECT * FROM k|"), "kernel");
  EXPECT_EQ(completed("select * from kernel join |"), "kernel op finding");
}

TEST(SqlWords, OffersColumnsOfTheTablesThatTheQueryNames) {
  EXPECT_EQ(completed("SELECT st| FROM kernel"), "start_ns");
  EXPECT_EQ(completed("SELECT de| FROM kernel"), "DESC");
  EXPECT_EQ(completed("SELECT de| FROM op"), "depth DESC");
}

TEST(SqlWords, OffersColumnsOfATableOrItsAliasBehindADot) {
  EXPECT_EQ(completed("SELECT finding.|"), "id kind");
  EXPECT_EQ(completed("SELECT o.d| FROM op AS o"), "depth");
  EXPECT_EQ(completed("SELECT x.| FROM op"), "");
}

TEST(SqlWords, OffersNothingForAWordThatIsWhole) {
  EXPECT_EQ(completed("SELECT * FROM finding|"), "");
}

TEST(SqlWords, BearsAnyPlaceInAnyText) {
  for (const char* text : {"|", ".|", "|.", "'|", "FROM |", "SELECT é|"}) completed(text);
  EXPECT_EQ(sqlWordBefore("ab", 99), "ab");
}

TEST(QueryHistory, GoesBackAndForthAndKeepsTheDraft) {
  QueryHistory history;
  history.add("a");
  history.add("b");
  EXPECT_EQ(history.older("draft"), "b");
  EXPECT_EQ(history.older("b"), "a");
  EXPECT_TRUE(history.older("a").isNull());
  EXPECT_EQ(history.newer(), "b");
  EXPECT_EQ(history.newer(), "draft");
  EXPECT_TRUE(history.newer().isNull());
}

TEST(QueryHistory, HoldsEachQueryOnceAndNoEmptyOnes) {
  QueryHistory history;
  for (const char* query : {"a", "b", "a", " "}) history.add(query);
  EXPECT_EQ(history.queries(), QStringList({"b", "a"}));
}

}  // namespace
}  // namespace jitscope::gui
