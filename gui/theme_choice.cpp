#include "gui/theme_choice.h"

#include <QGuiApplication>
#include <QStyleHints>

#include "gui/settings.h"

namespace jitscope::gui {
namespace {

constexpr const char* kThemeKey = "theme";

}  // namespace

std::string themeWord(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::kDark:
      return "dark";
    case ThemeChoice::kLight:
      return "light";
    case ThemeChoice::kSystem:
      break;
  }
  return "system";
}

std::optional<ThemeChoice> themeOfWord(std::string_view word) {
  for (const ThemeChoice choice : kThemeChoices) {
    if (themeWord(choice) == word) return choice;
  }
  return std::nullopt;
}

ThemeChoice keptTheme() {
  const std::string word = userSettings().value(kThemeKey).toString().toStdString();
  return themeOfWord(word).value_or(ThemeChoice::kSystem);
}

void keepTheme(ThemeChoice choice) {
  userSettings().setValue(kThemeKey, QString::fromStdString(themeWord(choice)));
}

std::optional<Theme> systemTheme() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  switch (QGuiApplication::styleHints()->colorScheme()) {
    case Qt::ColorScheme::Dark:
      return Theme::kDark;
    case Qt::ColorScheme::Light:
      return Theme::kLight;
    default:
      break;
  }
#endif
  return std::nullopt;
}

Theme themeFor(ThemeChoice choice, std::optional<Theme> system) {
  if (choice == ThemeChoice::kSystem) return system.value_or(Theme::kDark);
  return choice == ThemeChoice::kLight ? Theme::kLight : Theme::kDark;
}

}  // namespace jitscope::gui
