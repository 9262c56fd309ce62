#include "gui/loading/run_text.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::gui {
namespace {

TEST(RunText, CutsWhatNoWindowShowsAndSaysHowLongItIs) {
  EXPECT_EQ(toText("aten::mul"), "aten::mul");
  const QString cut = toText(std::string(1'000'000, 'n'));
  EXPECT_LT(cut.size(), 5'000);
  EXPECT_TRUE(cut.endsWith("n… (1,000,000 bytes)")) << cut.right(40).toStdString();
}

TEST(RunText, CutsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 3'000; ++i) text += "µ";
  for (const char* start : {"", "a"}) {
    EXPECT_FALSE(toText(start + text).contains(QChar::ReplacementCharacter));
  }
  EXPECT_LT(toText(std::string(5'000, '\x80')).size(), 5'000) << "no character starts anywhere";
}

TEST(RunText, KeepsNamesOnOneLine) {
  EXPECT_EQ(toLine("two\nlines\r\tand\x01more"), "two lines  and more");
  EXPECT_EQ(toText("two\nlines"), "two\nlines");
}

}  // namespace
}  // namespace jitscope::gui
