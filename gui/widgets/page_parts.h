#pragma once

#include <QString>

class QLabel;
class QPushButton;
class QWidget;

namespace jitscope::gui {

/// A label in the colour of what is less important, for plain text.
QLabel* secondaryLabel(const QString& text = {});

/// A button with room around its text; `name` is its object's.
QPushButton* paddedButton(const QString& text, const QString& name, const QString& toolTip);

/// An area of the colour that tables stand on.
QWidget* tableGround();

}  // namespace jitscope::gui
