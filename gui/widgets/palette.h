#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include "gui/models/event_columns.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

/// The window's colours. Surfaces rise from `ground` (behind everything) to `raised`.
namespace colour {
inline constexpr QRgb kText = 0xffd7dae0, kSecondary = 0xff8b93a1, kFaint = 0xff5d6673;
inline constexpr QRgb kGround = 0xff14161a, kSurface = 0xff1a1d23, kRaised = 0xff20242b;
inline constexpr QRgb kLine = 0xff2b3038, kGrid = 0xff1c1f25;
inline constexpr QRgb kEager = 0xffe6a23c, kCompiled = 0xff16b090, kReplay = 0xff5ab0f0;
inline constexpr QRgb kLibrary = 0xff5d6673, kLibraryLight = 0xff6f7a88;
inline constexpr QRgb kBreak = 0xfff0616d, kRecompile = 0xffc58af9, kCompilePhase = 0xff7f86ff;
inline constexpr QRgb kDramRead = 0xff4fb7d8, kDramWrite = 0xffd9b66a;
}  // namespace colour

/// The colour of an origin: the one meaning that colour has.
QRgb colourOf(Category category);
QRgb colourOf(Pane pane);
QRgb colourOf(MarkKind kind);

/// `share` of `above` laid over `below`.
QRgb mixed(QRgb below, QRgb above, float share);

/// A colour in which text on `background` reads well.
QRgb textOn(QRgb background);

/// For QApplication.
QPalette windowPalette();

/// The interface's font; sizes in pixels, so that the window looks the same at every resolution.
QFont interfaceFont(int sizePx, QFont::Weight weight = QFont::Normal);

/// Names, code and numbers: fixed width, so that figures stand in columns.
QFont fixedFont(int sizePx, QFont::Weight weight = QFont::Normal);

}  // namespace jitscope::gui
