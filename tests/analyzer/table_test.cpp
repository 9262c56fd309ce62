#include "analyzer/reports/table.h"

#include <gtest/gtest.h>

#include "analyzer/reports/shortened.h"

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

struct Unprintable {
  std::string name, text, shown;
};

class UnprintableTexts : public testing::TestWithParam<Unprintable> {};

TEST_P(UnprintableTexts, AreMadeHarmlessInEveryForm) {
  const std::string& shown = GetParam().shown;
  EXPECT_EQ(printable(GetParam().text), shown);
  EXPECT_EQ(markdownEscaped(GetParam().text), shown);
  Table table = twoColumns();
  table.rows = {{GetParam().text, "1"}, {"12345678901", "2"}};
  EXPECT_EQ(textTable(table), "  name         time\n  " + shown +
                                  std::string(11 - displayWidth(shown), ' ') +
                                  "     1\n  12345678901     2\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, UnprintableTexts,
    testing::Values(Unprintable{"Escape",
                                "a\x1B"
                                "31mb",
                                "a?31mb"},
                    Unprintable{"Nul", std::string("a\0b", 3), "a?b"},
                    Unprintable{"Bell", "a\x07", "a?"}, Unprintable{"Delete", "\x7F", "?"},
                    Unprintable{"SecondControls",
                                "a\xC2\x9B"
                                "31m",
                                "a?31m"},
                    Unprintable{"Override",
                                "a\xE2\x80\xAE"
                                "b",
                                "a?b"},
                    Unprintable{"Isolate",
                                "a\xE2\x81\xA6"
                                "b",
                                "a?b"},
                    Unprintable{"StrayBytes", "\xFF\x80x", "??x"},
                    Unprintable{"CutCharacter", "x\xE2\x82", "x??"},
                    Unprintable{"HalfPair", "\xED\xA0\x80", "???"},
                    Unprintable{"LinesAndTabs", "a\nb\tc", "a b c"},
                    Unprintable{"Text", "gr\xC3\xB6\xC3\x9F \xF0\x9F\x98\x80", "größ 😀"}),
    [](const auto& each) { return each.param.name; });

TEST(Table, MarkdownShowsEntitiesAsTheyStand) {
  EXPECT_EQ(markdownEscaped("a &lt;b&gt; &"), "a \\&lt;b\\&gt; \\&");
}

TEST(Table, WrapsAtBlanksAndKeepsLongWordsWhole) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("a incomprehensible b", 5),
            (std::vector<std::string>{"a", "incomprehensible", "b"}));
  EXPECT_TRUE(wrapped("  ", 5).empty());
}

TEST(TextTable, FitsATerminalByShorteningTexts) {
  Table table;
  table.columns = {{"name"}, {"place"}, {"time", true}};
  table.rows = {{std::string(150, 'n'), std::string(60, 'p'), "12,345,678 ns"}, {"a", "b", "1 ns"}};
  for (const size_t width : {200U, 100U, 60U}) {
    const std::string text = textTable(table, width);
    EXPECT_NE(text.find("12,345,678 ns\n"), std::string::npos) << text;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      EXPECT_LE(displayWidth(text.substr(at, end - at)), width) << text;
      at = end + 1;
    }
  }
  // Something of every text remains, also where the terminal has no room for it.
  EXPECT_NE(textTable(table, 10).find("nnnnnnnnnnn…"), std::string::npos);
  EXPECT_NE(textTable(table).find(std::string(150, 'n')), std::string::npos);
}

TEST(Shortened, KeepsWholeCharactersOnly) {
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(shortened("abcde", 4), "abc…");
  EXPECT_EQ(shortened("ääää", 4), "ääää");
  EXPECT_EQ(shortened("äääää", 4), "äää…");
  EXPECT_EQ(shortened("", 1), "");
  EXPECT_EQ(shortened("ab", 1), "…");
  EXPECT_EQ(shortened(std::string(1 << 20, '\x80'), 3), "\x80\x80…");
}

TEST(KeepFirst, SaysHowManyMoreThereAre) {
  Table table;
  table.columns = {{"a"}};
  table.rows = {{"1"}, {"2"}, {"3"}};
  table.note = "a note";
  Table whole = table;
  keepFirst(whole, 0);
  EXPECT_EQ(whole.rows.size(), 3U);
  keepFirst(table, 1);
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.note, "and 2 more; a note");
}

}  // namespace
}  // namespace jitscope::analyzer
