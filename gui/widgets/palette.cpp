#include "gui/widgets/palette.h"

#include <QFontDatabase>
#include <array>
#include <cmath>

namespace jitscope::gui {
namespace {

/// The first of `families` that this machine has.
QString installedFamily(const QStringList& families) {
  const QStringList installed = QFontDatabase::families();
  for (const QString& family : families) {
    if (installed.contains(family)) return family;
  }
  return {};
}

QFont fontOf(const QString& family, QFont::StyleHint hint, int sizePx, QFont::Weight weight) {
  QFont font(family);
  font.setStyleHint(hint);
  font.setPixelSize(sizePx);
  font.setWeight(weight);
  return font;
}

}  // namespace

QRgb colourOf(Category category) {
  static constexpr std::array<QRgb, kCategoryCount> kColours{
      colour::kEager, colour::kCompiled,  colour::kReplay,       colour::kLibrary,
      colour::kBreak, colour::kRecompile, colour::kCompilePhase, colour::kSecondary};
  return kColours[static_cast<size_t>(category)];
}

QRgb colourOf(Pane pane) { return pane == Pane::kEager ? colour::kEager : colour::kCompiled; }

QRgb colourOf(MarkKind kind) {
  return kind == MarkKind::kBreak ? colour::kBreak : colour::kRecompile;
}

QRgb mixed(QRgb below, QRgb above, float share) {
  const auto mix = [share](int a, int b) {
    return a + static_cast<int>(std::lround(static_cast<float>(b - a) * share));
  };
  return qRgb(mix(qRed(below), qRed(above)), mix(qGreen(below), qGreen(above)),
              mix(qBlue(below), qBlue(above)));
}

QRgb textOn(QRgb background) {
  return qGray(background) > 105 ? qRgb(0x0e, 0x10, 0x13) : colour::kText;
}

QPalette windowPalette() {
  QPalette palette;
  palette.setColor(QPalette::Window, colour::kGround);
  palette.setColor(QPalette::WindowText, colour::kText);
  palette.setColor(QPalette::Base, colour::kSurface);
  palette.setColor(QPalette::AlternateBase, colour::kRaised);
  palette.setColor(QPalette::Text, colour::kText);
  palette.setColor(QPalette::PlaceholderText, colour::kSecondary);
  palette.setColor(QPalette::Button, colour::kRaised);
  palette.setColor(QPalette::ButtonText, colour::kText);
  for (const QPalette::ColorRole role :
       {QPalette::ButtonText, QPalette::Text, QPalette::WindowText})
    palette.setColor(QPalette::Disabled, role, colour::kFaint);
  palette.setColor(QPalette::Highlight, QColor(0x2a, 0x33, 0x3d));
  palette.setColor(QPalette::HighlightedText, colour::kText);
  palette.setColor(QPalette::ToolTipBase, colour::kRaised);
  palette.setColor(QPalette::ToolTipText, colour::kText);
  palette.setColor(QPalette::Light, colour::kLine);
  palette.setColor(QPalette::Midlight, colour::kLine);
  palette.setColor(QPalette::Mid, colour::kLine);
  palette.setColor(QPalette::Dark, colour::kGround);
  palette.setColor(QPalette::Shadow, colour::kGround);
  return palette;
}

QFont interfaceFont(int sizePx, QFont::Weight weight) {
  static const QString kFamily = installedFamily({"DejaVu Sans", "Inter", "Noto Sans"});
  return fontOf(kFamily, QFont::SansSerif, sizePx, weight);
}

QFont fixedFont(int sizePx, QFont::Weight weight) {
  static const QString kFamily =
      installedFamily({"JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono"});
  return fontOf(kFamily, QFont::Monospace, sizePx, weight);
}

}  // namespace jitscope::gui
