#include "gui/widgets/palette.h"

#include <QApplication>
#include <QFontDatabase>
#include <QToolTip>
#include <algorithm>
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

constexpr QRgb kBlack = 0xff000000, kWhite = 0xffffffff;

constexpr Colours kDarkColours{.text = 0xffd7dae0,
                               .secondary = 0xff8b93a1,
                               .faint = 0xff5d6673,
                               .ground = 0xff14161a,
                               .surface = 0xff1a1d23,
                               .raised = 0xff20242b,
                               .selected = 0xff262b32,
                               .marked = 0xff1a2b2d,
                               .highlight = 0xff2a333d,
                               .line = 0xff2b3038,
                               .grid = 0xff1c1f25,
                               .edge = 0xff14161a,
                               .veil = kBlack,
                               .fill = {0xffe6a23c, 0xff16b090, 0xff5ab0f0, 0xff5d6673, 0xfff0616d,
                                        0xffc58af9, 0xff7f86ff, 0xff8b93a1},
                               .ink = {0xffe6a23c, 0xff16b090, 0xff5ab0f0, 0xff8b93a1, 0xfff26974,
                                       0xffc58af9, 0xff8289ff, 0xff8b93a1},
                               .libraryLight = 0xff6f7a88,
                               .dramRead = 0xff4fb7d8,
                               .dramWrite = 0xffd9b66a,
                               .codeWord = 0xff5ab0f0,
                               .codeNumber = 0xffd9b66a};

constexpr Colours kLightColours{.text = 0xff1c2026,
                                .secondary = 0xff545c68,
                                .faint = 0xff98a1ad,
                                .ground = 0xfff1f3f6,
                                .surface = kWhite,
                                .raised = 0xffe8ebf0,
                                .selected = 0xffdde4ec,
                                .marked = 0xffd3efe6,
                                .highlight = 0xffc9dff5,
                                .line = 0xffd3d8df,
                                .grid = 0xffe4e7ec,
                                .edge = 0xffb4bbc5,
                                .veil = kBlack,
                                .fill = {0xffe0902a, 0xff17a387, 0xff4a9fe3, 0xff9aa3af, 0xffdc4a58,
                                         0xffa869e8, 0xff6a72f0, 0xff7d8693},
                                .ink = {0xff834d00, 0xff06614e, 0xff14578f, 0xff545c68, 0xffb01c30,
                                        0xff7430bd, 0xff4046c2, 0xff545c68},
                                .libraryLight = 0xff848e9c,
                                .dramRead = 0xff3aa6ca,
                                .dramWrite = 0xffc49a45,
                                .codeWord = 0xff14578f,
                                .codeNumber = 0xff7a5b00};

/// Colours are asked for in each line that is drawn, far from the window that could pass them on.
Theme& currentTheme() {
  static Theme theme = Theme::kDark;
  return theme;
}

Category categoryOf(Pane pane) {
  return pane == Pane::kEager ? Category::kEager : Category::kCompiled;
}

Category categoryOf(MarkKind kind) {
  return kind == MarkKind::kBreak ? Category::kBreak : Category::kRecompile;
}

/// As WCAG 2 defines it, from 0 to 1.
double luminance(QRgb colour) {
  const auto linear = [](int channel) {
    const double share = channel / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) +
         0.0722 * linear(qBlue(colour));
}

}  // namespace

const Colours& coloursOf(Theme theme) {
  return theme == Theme::kDark ? kDarkColours : kLightColours;
}

const Colours& colours() { return coloursOf(currentTheme()); }

void setTheme(Theme theme) {
  currentTheme() = theme;
  QApplication::setPalette(windowPalette());
  QToolTip::setPalette(windowPalette());
}

QRgb colourOf(Category category) { return colours().fill[static_cast<size_t>(category)]; }

QRgb colourOf(Pane pane) { return colourOf(categoryOf(pane)); }

QRgb colourOf(MarkKind kind) { return colourOf(categoryOf(kind)); }

QRgb colourOf(CounterKind kind) {
  return kind == CounterKind::kRead ? colours().dramRead : colours().dramWrite;
}

QRgb inkOf(Category category) { return colours().ink[static_cast<size_t>(category)]; }

QRgb inkOf(Pane pane) { return inkOf(categoryOf(pane)); }

QRgb inkOf(MarkKind kind) { return inkOf(categoryOf(kind)); }

QRgb mixed(QRgb below, QRgb above, float share) {
  const auto mix = [share](int a, int b) {
    return a + static_cast<int>(std::lround(static_cast<float>(b - a) * share));
  };
  return qRgb(mix(qRed(below), qRed(above)), mix(qGreen(below), qGreen(above)),
              mix(qBlue(below), qBlue(above)));
}

QColor translucent(QRgb colour, float alpha) {
  QColor result(colour);
  result.setAlphaF(alpha);
  return result;
}

double contrast(QRgb text, QRgb ground) {
  const auto [darker, lighter] = std::minmax({luminance(text), luminance(ground)});
  return (lighter + 0.05) / (darker + 0.05);
}

QRgb textOn(QRgb background) {
  return contrast(kBlack, background) > contrast(kWhite, background) ? kBlack : kWhite;
}

QPalette windowPalette() {
  const Colours& theme = colours();
  QPalette palette;
  palette.setColor(QPalette::Window, theme.ground);
  palette.setColor(QPalette::WindowText, theme.text);
  palette.setColor(QPalette::Base, theme.surface);
  palette.setColor(QPalette::AlternateBase, theme.raised);
  palette.setColor(QPalette::Text, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.secondary);
  palette.setColor(QPalette::Button, theme.raised);
  palette.setColor(QPalette::ButtonText, theme.text);
  for (const QPalette::ColorRole role :
       {QPalette::ButtonText, QPalette::Text, QPalette::WindowText})
    palette.setColor(QPalette::Disabled, role, theme.faint);
  palette.setColor(QPalette::Highlight, theme.highlight);
  palette.setColor(QPalette::HighlightedText, theme.text);
  palette.setColor(QPalette::ToolTipBase, theme.raised);
  palette.setColor(QPalette::ToolTipText, theme.text);
  for (const QPalette::ColorRole role : {QPalette::Light, QPalette::Midlight, QPalette::Mid})
    palette.setColor(role, theme.line);
  for (const QPalette::ColorRole role : {QPalette::Dark, QPalette::Shadow})
    palette.setColor(role, theme.edge);
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
