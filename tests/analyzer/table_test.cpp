#include "analyzer/reports/table.h"

#include <gtest/gtest.h>

namespace jitscope::analyzer {
namespace {

Table twoColumns() {
  Table table;
  table.columns = {{"name"}, {"time", true}};
  table.rows = {{"a", "1.00 µs"}, {"bcdef", "12 ms"}};
  return table;
}

TEST(Table, TextAlignsNumbersToTheRightByCharacters) {
  EXPECT_EQ(textTable(twoColumns()),
            "  name      time\n"
            "  a      1.00 µs\n"
            "  bcdef    12 ms\n");
}

TEST(Table, WithoutRowsThereIsNothing) {
  Table table = twoColumns();
  table.rows.clear();
  table.note = "note";
  EXPECT_EQ(textTable(table), "");
  EXPECT_EQ(markdownTable(table), "");
}

TEST(Table, MarkdownEscapesWhatWouldBeMarkup) {
  Table table = twoColumns();
  table.rows = {{"L['x'] | y", "1"}};
  EXPECT_EQ(markdownTable(table),
            "| name | time |\n"
            "| --- | ---: |\n"
            "| L\\['x'\\] \\| y | 1 |\n");
}

TEST(Table, WrapsAtBlanksAndKeepsLongWordsWhole) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("a incomprehensible b", 5),
            (std::vector<std::string>{"a", "incomprehensible", "b"}));
  EXPECT_TRUE(wrapped("  ", 5).empty());
}

}  // namespace
}  // namespace jitscope::analyzer
