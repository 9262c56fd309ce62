#include "gui/pages/breaks_page.h"

#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "gui/loading/cause_builder.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/empty_note.h"
#include "gui/widgets/section_title.h"
#include "gui/widgets/sheet_view.h"

namespace jitscope::gui {
namespace {

constexpr int kLeastDetailPx = 260;
constexpr int kTablesPx = 960, kDetailPx = 400;  ///< at first

}  // namespace

BreaksPage::BreaksPage(Selection* selection, QWidget* parent)
    : Page(parent),
      selection_(selection),
      causes_(new SheetTable(this)),
      history_(new SheetTable(this)),
      job_([this](const CauseViews& views) { show(views); },
           [this](const QString& error) { fail(error); }) {
  auto* pages = new QStackedLayout(this);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setHandleWidth(2);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeTables());
  detail_ = new DetailPanel;
  detail_->setObjectName("cause");
  detail_->setAccessibleName("Cause, fix, source and stack");
  detail_->setMinimumWidth(kLeastDetailPx);
  splitter->addWidget(detail_);
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({kTablesPx, kDetailPx});
  pages->addWidget(splitter);
  empty_ = new EmptyNote;
  pages->addWidget(empty_);
  setFocusProxy(causeView_);
}

QWidget* BreaksPage::makeTables() {
  auto* box = new QSplitter(Qt::Vertical);
  box->setHandleWidth(2);
  box->setChildrenCollapsible(false);
  causeView_ = new SheetView("Causes");
  causeView_->setModel(causes_);
  auto* historyView = new SheetView("Compilations");
  historyView->setModel(history_);
  connect(causeView_, &SheetView::rowSelected, this, &BreaksPage::showCause);
  connect(causeView_, &SheetView::rowChosen, this, [this](int row) {
    selection_->chooseFinding(views_.list[causes_->lineAt(row)].finding);
  });
  connect(historyView, &SheetView::rowChosen, this, &BreaksPage::goToCompile);
  box->addWidget(titled("Causes, worst first", "Enter shows one on the timelines", causeView_));
  box->addWidget(titled("Compilations of its frames", "in the order of time", historyView));
  box->setStretchFactor(0, 1);
  box->setStretchFactor(1, 1);
  return box;
}

void BreaksPage::open(const std::shared_ptr<const Recording>& recording) {
  show({});  // the rows of the last recording mean nothing in this one
  job_.start([recording](const std::stop_token&) { return buildCauses(*recording); });
}

void BreaksPage::show(const CauseViews& views) {
  views_ = views;
  causes_->reset(views_.causes);
  history_->reset(compileHistory(views_, {}));
  detail_->show(std::nullopt);
  empty_->setText(views_.whyEmpty);
  const bool isEmpty = !views_.whyEmpty.isEmpty();
  static_cast<QStackedLayout*>(layout())->setCurrentIndex(isEmpty ? 1 : 0);
  giveKeysTo(isEmpty ? static_cast<QWidget*>(empty_) : causeView_);
  if (!views_.list.empty()) causeView_->selectRow(0);
}

void BreaksPage::fail(const QString& error) {
  CauseViews views;
  views.whyEmpty = error;
  show(views);
}

void BreaksPage::showCause(int row) {
  const CauseView& cause = views_.list[causes_->lineAt(row)];
  detail_->show(cause.detail);
  history_->reset(compileHistory(views_, cause.frames));
}

void BreaksPage::goToCompile(int row) {
  const auto at = history_->index(row, 0).data(kCellNumberRole).toULongLong();
  selection_->goTo(selection_->leadingPane(), views_.compiles[at].startNs);
}

}  // namespace jitscope::gui
