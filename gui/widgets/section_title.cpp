#include "gui/widgets/section_title.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {

QWidget* titled(const QString& title, const QString& remark, QWidget* content) {
  auto* box = new QWidget;
  box->setAutoFillBackground(true);
  box->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(4, 0, 4, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 10, 8, 6);
  row->setSpacing(12);
  auto* name = new ElidedLabel;
  name->setFont(interfaceFont(13, QFont::DemiBold));
  name->setText(title);
  name->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  auto* note = new ElidedLabel;
  note->setFont(interfaceFont(12));
  note->setForegroundRole(QPalette::PlaceholderText);
  note->setText(remark);
  row->addWidget(name);
  row->addWidget(note, 1);
  column->addLayout(row);
  column->addWidget(content, 1);
  return box;
}

}  // namespace jitscope::gui
