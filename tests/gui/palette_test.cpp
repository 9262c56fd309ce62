#include "gui/widgets/palette.h"

#include <gtest/gtest.h>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include "tests/gui/dark_again.h"

namespace jitscope::gui {
namespace {

constexpr double kReadsWell = 4.5;

TEST(Contrast, IsThatOfWcag) {
  EXPECT_NEAR(contrast(0xff000000, 0xffffffff), 21, 1e-9);
  EXPECT_NEAR(contrast(0xffffffff, 0xff000000), 21, 1e-9);
  EXPECT_NEAR(contrast(0xff777777, 0xffffffff), 4.48, 0.005);
  EXPECT_NEAR(contrast(0xff123456, 0xff123456), 1, 1e-9);
}

TEST(Palette, HasTextThatReadsWellOnAllGroundsOfBothThemes) {
  for (const Theme theme : kThemes) {
    const Colours& colours = coloursOf(theme);
    std::vector<QRgb> texts(colours.ink.begin(), colours.ink.end());
    texts.insert(texts.end(),
                 {colours.text, colours.secondary, colours.codeWord, colours.codeNumber});
    for (const QRgb text : texts) {
      for (const QRgb ground :
           {colours.ground, colours.surface, colours.raised, colours.selected, colours.marked}) {
        EXPECT_GE(contrast(text, ground), kReadsWell)
            << std::hex << text << " on " << ground << " in theme " << static_cast<int>(theme);
      }
    }
    EXPECT_GE(contrast(colours.text, colours.highlight), kReadsWell);
  }
}

TEST(Palette, HasTextThatReadsWellOnWhateverItLies) {
  for (int red = 0; red < 256; red += 15) {
    for (int green = 0; green < 256; green += 15) {
      for (int blue = 0; blue < 256; blue += 15) {
        const QRgb ground = qRgb(red, green, blue);
        ASSERT_GE(contrast(textOn(ground), ground), kReadsWell) << std::hex << ground;
      }
    }
  }
}

TEST(Palette, GivesQtPairsThatReadWell) {
  const DarkAgain darkAgain;
  for (const Theme theme : kThemes) {
    setTheme(theme);
    const QPalette palette = windowPalette();
    const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
        {QPalette::WindowText, QPalette::Window},
        {QPalette::Text, QPalette::Base},
        {QPalette::Text, QPalette::AlternateBase},
        {QPalette::PlaceholderText, QPalette::Base},
        {QPalette::PlaceholderText, QPalette::Window},
        {QPalette::ButtonText, QPalette::Button},
        {QPalette::HighlightedText, QPalette::Highlight},
        {QPalette::ToolTipText, QPalette::ToolTipBase}};
    for (const auto& [text, ground] : pairs) {
      EXPECT_GE(contrast(palette.color(text).rgb(), palette.color(ground).rgb()), kReadsWell)
          << text << " on " << ground;
    }
  }
}

TEST(Palette, IsWhereAllColoursComeFrom) {
  // A number, a name or a word of style sheets; what is computed of other colours is none of these.
  const QRegularExpression own(
      R"(QColor\s*\(\s*["\d#]|qRgba?\s*\(\s*\d|0x[fF]{2}[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{6}\b)"
      R"(|Qt::(white|black|red|green|blue|cyan|magenta|yellow|gray|dark\w+|light\w+)\b|setStyleSheet)");
  ASSERT_TRUE(own.isValid());
  ASSERT_TRUE(own.match("QColor(255, 255, 255, 16)").hasMatch());
  ASSERT_TRUE(own.match("constexpr uint32_t kRead = 0xff4fb7d8;").hasMatch());
  int fileCount = 0;
  QDirIterator files(GUI_SOURCES, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    if (file.fileName().endsWith("/widgets/palette.cpp")) continue;
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const auto found = own.match(QString::fromUtf8(file.readAll()));
    EXPECT_FALSE(found.hasMatch())
        << file.fileName().toStdString() << ": " << found.captured().toStdString();
    ++fileCount;
  }
  EXPECT_GT(fileCount, 100);
}

}  // namespace
}  // namespace jitscope::gui
