#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <array>

#include "gui/models/event_columns.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

enum class Theme { kDark, kLight };
inline constexpr Theme kThemes[] = {Theme::kDark, Theme::kLight};

/// The window's colours: all that there are, so that themes differ in nothing else.
struct Colours {
  QRgb text, secondary;
  QRgb faint;                             ///< frames, grips, what is disabled; no text to read
  QRgb ground, surface, raised;           ///< rise from behind everything
  QRgb selected, marked;                  ///< grounds of chosen lines, of marked lines of code
  QRgb highlight;                         ///< ground of selected text
  QRgb line, grid, edge;                  ///< between things; behind the lanes; around buttons
  QRgb veil;                              ///< over the window, behind what is in front of it
  std::array<QRgb, kCategoryCount> fill;  ///< areas, by Category
  std::array<QRgb, kCategoryCount> ink;   ///< the same as text, and so readable on all grounds
  QRgb libraryLight;                      ///< every second kernel of a library
  QRgb dramRead, dramWrite;
  QRgb codeWord, codeNumber;
};

const Colours& coloursOf(Theme theme);

/// Those of the theme that the window has. For the GUI thread, as all below.
const Colours& colours();

/// Gives the whole application another theme; what it shows is drawn again.
void setTheme(Theme theme);

/// The colour of an origin: the one meaning that colour has.
QRgb colourOf(Category category);
QRgb colourOf(Pane pane);
QRgb colourOf(MarkKind kind);
QRgb colourOf(CounterKind kind);

/// The same for text.
QRgb inkOf(Category category);
QRgb inkOf(Pane pane);
QRgb inkOf(MarkKind kind);

/// `share` of `above` laid over `below`.
QRgb mixed(QRgb below, QRgb above, float share);

/// Lets what is behind through, the more the less `alpha` is.
QColor translucent(QRgb colour, float alpha);

/// How well text reads on a ground, from 1 to 21 (WCAG 2); from 4.5 on it reads well.
double contrast(QRgb text, QRgb ground);

/// A colour in which text on `background`, whichever it is, reads well.
QRgb textOn(QRgb background);

/// Of the theme, for QApplication.
QPalette windowPalette();

/// The interface's font; sizes in pixels, so that the window looks the same at every resolution.
QFont interfaceFont(int sizePx, QFont::Weight weight = QFont::Normal);

/// Names, code and numbers: fixed width, so that figures stand in columns.
QFont fixedFont(int sizePx, QFont::Weight weight = QFont::Normal);

}  // namespace jitscope::gui
