#include "gui/pages/overview_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "analyzer/recording_notes.h"
#include "gui/loading/overview_builder.h"
#include "gui/loading/run_text.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/finding_cards.h"
#include "gui/widgets/mark_strip.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/section_title.h"

namespace jitscope::gui {
namespace {

constexpr int kNumbersPx = 400;

QLabel* sentence(const QFont& font, QPalette::ColorRole role) {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setWordWrap(true);
  label->setFont(font);
  label->setForegroundRole(role);
  return label;
}

}  // namespace

OverviewPage::OverviewPage(Selection* selection, QWidget* parent)
    : Page(parent),
      selection_(selection),
      job_([this](const Detail& numbers) { numbers_->show(numbers); },
           [this](const QString& error) {
             numbers_->show(Detail{"In numbers", error, Category::kHost, {}});
           }) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  numbers_ = new DetailPanel;
  numbers_->setObjectName("overview numbers");
  numbers_->setAccessibleName("The recording in numbers");
  numbers_->setFixedWidth(kNumbersPx);
  row->addWidget(makeLeft(), 1);
  row->addWidget(numbers_);
}

QWidget* OverviewPage::makeLeft() {
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* head = new QVBoxLayout;
  head->setContentsMargins(18, 14, 18, 10);
  head->setSpacing(6);
  verdict_ = sentence(interfaceFont(17, QFont::Bold), QPalette::WindowText);
  verdict_->setObjectName("overview verdict");
  remark_ = sentence(interfaceFont(13), QPalette::PlaceholderText);
  head->addWidget(verdict_);
  head->addWidget(remark_);
  cards_ = new FindingCards;
  cards_->setModel(&findings_);
  connect(cards_, &FindingCards::chosen, selection_, &Selection::chooseFinding);
  setFocusProxy(cards_);
  marks_ = new MarkStrip(selection_);
  column->addLayout(head);
  column->addWidget(cards_, 1);
  column->addWidget(titled("Breaks and recompiles over time",
                           "a click goes to the place on the timelines", marks_));
  return left;
}

void OverviewPage::open(const std::shared_ptr<const Recording>& recording) {
  verdict_->setText(recording->findings->verdict);
  remark_->setText(recording->findings->remark);
  remark_->setVisible(!recording->findings->remark.isEmpty());
  findings_.reset(recording->findings);
  const bool isTold = analyzer::tellsCompiles(*recording->run);
  cards_->setEmptyText(isTold ? "Nothing to mend was found in this recording."
                              : "Nothing was found in what these files tell, and of graph breaks "
                                "and recompiles they tell nothing.");
  marks_->setEmptyText(isTold ? "no break, no recompile" : toText(analyzer::kCompilesUntold));
  job_.start([recording](const std::stop_token&) { return buildOverview(*recording); });
}

}  // namespace jitscope::gui
