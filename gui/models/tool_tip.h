#pragma once

#include <QString>

namespace jitscope::gui {

/// A text of a recording as a tool tip. Qt would take what looks like a tag for markup, which can
/// load pictures; the tip shows every character as it is, and line ends as such.
inline QString toolTipOf(const QString& text) {
  if (text.isEmpty()) return {};
  return "<qt>" + text.toHtmlEscaped().replace('\n', "<br>") + "</qt>";
}

}  // namespace jitscope::gui
