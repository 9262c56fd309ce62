#include "gui/widgets/empty_note.h"

#include "gui/widgets/palette.h"

namespace jitscope::gui {

EmptyNote::EmptyNote(QWidget* parent) : QLabel(parent) {
  setObjectName("empty");
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setAlignment(Qt::AlignHCenter | Qt::AlignVCenter);
  setFont(interfaceFont(13));
  setForegroundRole(QPalette::PlaceholderText);
  setMargin(60);
  setFocusPolicy(Qt::StrongFocus);  // it takes the keys of what would stand there
}

}  // namespace jitscope::gui
