#include <gtest/gtest.h>

#include <QImage>
#include <algorithm>

#include "gui/theme_choice.h"
#include "gui/window_commands.h"
#include "tests/gui/dark_again.h"
#include "tests/gui/shown_page_test.h"

namespace jitscope::gui {
namespace {

TEST(ThemeChoice, IsDarkWhereNobodyHasAWish) {
  EXPECT_EQ(themeFor(ThemeChoice::kSystem, std::nullopt), Theme::kDark);
  EXPECT_EQ(themeFor(ThemeChoice::kSystem, Theme::kLight), Theme::kLight);
  EXPECT_EQ(themeFor(ThemeChoice::kDark, Theme::kLight), Theme::kDark);
  EXPECT_EQ(themeFor(ThemeChoice::kLight, Theme::kDark), Theme::kLight);
}

TEST(ThemeChoice, HasAWordForEach) {
  for (const ThemeChoice choice : kThemeChoices) EXPECT_EQ(themeOfWord(themeWord(choice)), choice);
  EXPECT_EQ(themeOfWord("Light"), std::nullopt);
  EXPECT_EQ(themeOfWord(""), std::nullopt);
}

TEST(ThemeChoice, IsKept) {
  for (const ThemeChoice choice : kThemeChoices) {
    keepTheme(choice);
    EXPECT_EQ(keptTheme(), choice);
  }
}

class ThemeTest : public ShownPageTest {
 protected:
  /// How many pixels of the window have one of the grounds of a theme.
  int groundPixels(Theme theme) {
    const Colours& wanted = coloursOf(theme);
    const QImage image = window.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        const QRgb pixel = image.pixel(x, y);
        count += pixel == wanted.ground || pixel == wanted.surface || pixel == wanted.raised;
      }
    }
    return count;
  }

  const DarkAgain darkAgain;
};

TEST_F(ThemeTest, ChangesAllOfEveryPageWhileItShows) {
  openPage("timelines", record({.hasGpu = true}));
  for (size_t page = 0; page < pageList().size(); ++page) {
    window.showPage(page);
    settlePages();
    for (const auto& [shown, other] :
         {std::pair{Theme::kLight, Theme::kDark}, std::pair{Theme::kDark, Theme::kLight}}) {
      setTheme(shown);
      settlePages();
      EXPECT_GT(groundPixels(shown), 1280 * 720 / 2) << pageList()[page].word;
      // The edges of letters come in all greys; what is drawn once and kept has far more pixels.
      EXPECT_LT(groundPixels(other), 100) << pageList()[page].word;
    }
  }
}

TEST_F(ThemeTest, IsACommandThatIsKept) {
  const std::vector<Command> commands = windowCommands(window);
  const auto run = [&commands](const QString& title) {
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& each) { return each.title == title; });
    ASSERT_NE(found, commands.end()) << title.toStdString();
    found->run();
  };
  run("Theme: light");
  EXPECT_EQ(colours().ground, coloursOf(Theme::kLight).ground);
  EXPECT_EQ(keptTheme(), ThemeChoice::kLight);
  run("Theme: dark");
  EXPECT_EQ(colours().ground, coloursOf(Theme::kDark).ground);
  run("Theme: system");
  EXPECT_EQ(keptTheme(), ThemeChoice::kSystem);
}

}  // namespace
}  // namespace jitscope::gui
