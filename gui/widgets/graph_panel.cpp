#include "gui/widgets/graph_panel.h"

#include <QVBoxLayout>

#include "gui/widgets/code_view.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/sheet_view.h"

namespace jitscope::gui {
namespace {

enum Place { kDetail, kTable, kCode };

}  // namespace

GraphPanel::GraphPanel(QWidget* parent)
    : QStackedWidget(parent),
      detail_(new DetailPanel),
      table_(new SheetTable(this)),
      code_(new CodeView),
      note_(new ElidedLabel) {
  detail_->setObjectName("graph detail");
  detail_->setAccessibleName("Numbers of the frame or entry");
  auto* tableView = new SheetView("Guards");
  tableView->setModel(table_);
  auto* box = new QWidget;
  box->setAutoFillBackground(true);
  box->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 8, 0, 0);
  column->setSpacing(0);
  column->addWidget(code_, 1);
  note_->setObjectName("operators");
  note_->setFont(interfaceFont(12));
  note_->setForegroundRole(QPalette::PlaceholderText);
  note_->setContentsMargins(12, 4, 12, 6);
  column->addWidget(note_);
  addWidget(detail_);
  addWidget(tableView);
  addWidget(box);
  connect(code_, &CodeView::lineSelected, this, &GraphPanel::showLinks);
  connect(code_, &CodeView::lineChosen, this, [this](int line) {
    if (!links_.operatorsOf(line).names.isEmpty()) Q_EMIT lineChosen(line);
  });
}

void GraphPanel::showDetail(const Detail& detail) {
  detail_->show(detail);
  setCurrentIndex(kDetail);
}

void GraphPanel::showTable(Sheet sheet) {
  table_->reset(std::move(sheet));
  setCurrentIndex(kTable);
}

void GraphPanel::showCode(std::string_view text, CodeLanguage language, bool hasLinks) {
  links_ = CodeLinks();
  code_->show(text, language);
  if (hasLinks) links_ = CodeLinks(code_->lines());
  note_->setVisible(hasLinks);
  showLinks(0);
  setCurrentIndex(kCode);
}

void GraphPanel::mark(const NamedOperators& operators) {
  code_->mark(definingLines(code_->lines(), operators));
  code_->setFocus();
}

void GraphPanel::showLinks(int line) {
  const QStringList names = links_.operatorsOf(line).names;
  note_->setText(names.isEmpty()
                     ? QString("the line belongs to no kernel whose operators are known")
                     : "computes " + names.join(", ") + " · Enter shows them in the graph");
}

}  // namespace jitscope::gui
