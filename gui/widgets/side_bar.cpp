#include "gui/widgets/side_bar.h"

#include <QVBoxLayout>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/finding_view.h"
#include "gui/widgets/page_button.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {

SideBar::SideBar(const QStringList& pages, QAbstractItemModel* findings, QWidget* parent)
    : QWidget(parent) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 10, 0, 0);
  column->setSpacing(0);
  for (qsizetype i = 0; i < pages.size(); ++i) {
    auto* button = new PageButton(pages[i]);
    button->setToolTip(QString("Ctrl+%1").arg(i + 1));
    connect(button, &QAbstractButton::clicked, this,
            [this, page = static_cast<size_t>(i)] { Q_EMIT pageChosen(page); });
    column->addWidget(button);
    buttons_.push_back(button);
  }
  auto* heading = new ElidedLabel;
  heading->setFont(interfaceFont(11, QFont::Bold));
  heading->setForegroundRole(QPalette::PlaceholderText);
  heading->setText("FINDINGS");
  heading->setContentsMargins(20, 22, 0, 6);
  findings_ = new FindingListView;
  findings_->setModel(findings);
  column->addWidget(heading);
  column->addWidget(findings_, 1);
}

void SideBar::setPage(size_t page) { buttons_[page]->setChecked(true); }

}  // namespace jitscope::gui
