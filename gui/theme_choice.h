#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gui/widgets/palette.h"

namespace jitscope::gui {

/// Which theme the user wishes.
enum class ThemeChoice { kSystem, kDark, kLight };
inline constexpr ThemeChoice kThemeChoices[] = {ThemeChoice::kDark, ThemeChoice::kLight,
                                                ThemeChoice::kSystem};

/// "dark", "light", "system".
std::string themeWord(ThemeChoice choice);
/// None for any other word.
std::optional<ThemeChoice> themeOfWord(std::string_view word);

/// What the user chose in an earlier window; kSystem before any choice.
ThemeChoice keptTheme();
void keepTheme(ThemeChoice choice);

/// What the desktop wishes, where Qt tells it. Needs the application.
std::optional<Theme> systemTheme();

/// The theme to show: dark where neither user nor system has a wish.
Theme themeFor(ThemeChoice choice, std::optional<Theme> system);

}  // namespace jitscope::gui
