#include "gui/pages/timelines_page.h"

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/number_text.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/overview_strip.h"
#include "gui/widgets/page_parts.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/range_table_view.h"
#include "gui/widgets/timeline_view.h"

namespace jitscope::gui {
namespace {

constexpr int kLeastTablePx = 150;
constexpr int kComfortableTablePx = 330;
constexpr int kOverviewPx = 40;
constexpr int kLeastPanesPx = 250;
constexpr double kMostStretch = 1.5;  ///< of the panes, beyond what their lanes need

/// How much a summary says, by the room that there is.
enum class Wording { kFull, kShort, kShortest };

QString paneSummary(const RangeStatistics& statistics, Pane pane, Wording wording) {
  const auto at = static_cast<size_t>(pane);
  if (!statistics.range[at] || !statistics.work) return {};
  // Several threads or streams can be busy at once: then there is no idle time to tell.
  const int64_t idleNs = statistics.range[at]->lengthNs() - statistics.busyNs[at];
  const bool areKernels = statistics.work == RowKind::kKernel;
  QString text = QString("<span style='color:%1'>●</span> ").arg(QColor(colourOf(pane)).name());
  if (wording == Wording::kFull) text += pane == Pane::kEager ? "eager: " : "compiled: ";
  if (wording != Wording::kShortest)
    text += countedText(statistics.workCount[at], areKernels ? "kernel" : "operator") + ", ";
  text += durationText(statistics.busyNs[at]) + " busy";
  if (wording != Wording::kFull || idleNs < 0) return text;
  return text + ", " + durationText(idleNs) + (areKernels ? " idle" : " outside");
}

}  // namespace

TimelinesPage::TimelinesPage(Selection* selection, QWidget* parent)
    : Page(parent), selection_(selection), table_(new RangeTable(this)), job_(new RangeJob(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeVerdict());
  splitter_ = new QSplitter(Qt::Vertical);
  splitter_->setHandleWidth(6);
  splitter_->setChildrenCollapsible(false);
  auto* upper = new QWidget;
  auto* upperColumn = new QVBoxLayout(upper);
  upperColumn->setContentsMargins(0, 0, 0, 0);
  upperColumn->setSpacing(0);
  timelines_ = new TimelineView(selection);
  setFocusProxy(timelines_);
  upperColumn->addWidget(timelines_, 1);
  upperColumn->addWidget(new OverviewStrip(selection));
  splitter_->addWidget(upper);
  splitter_->addWidget(makeNumbers());
  splitter_->setStretchFactor(0, 1);
  column->addWidget(splitter_, 1);
  follow();
}

QWidget* TimelinesPage::makeVerdict() {
  auto* box = new QWidget;
  box->setFixedHeight(58);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(14, 8, 14, 6);
  column->setSpacing(2);
  verdict_ = new ElidedLabel;
  verdict_->setObjectName("verdict");
  verdict_->setFont(interfaceFont(15, QFont::Bold));
  remark_ = new ElidedLabel;
  remark_->setFont(interfaceFont(12));
  remark_->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(verdict_, 1);
  column->addWidget(remark_, 1);
  return box;
}

QWidget* TimelinesPage::makeNumbers() {
  auto* box = tableGround();
  box->setMinimumHeight(kLeastTablePx);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(4, 0, 4, 0);
  column->setSpacing(0);
  summary_ = new QLabel;
  summary_->setObjectName("range summary");
  summary_->setFont(interfaceFont(12));
  summary_->setContentsMargins(8, 0, 8, 0);
  summary_->setFixedHeight(32);
  summary_->setTextFormat(Qt::RichText);
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* view = new RangeTableView;
  view->setModel(table_);
  column->addWidget(summary_);
  column->addWidget(view, 1);
  return box;
}

void TimelinesPage::follow() {
  connect(job_, &RangeJob::ready, this,
          [this](std::shared_ptr<const Timeline> timeline, const RangeStatistics& statistics) {
            if (timeline != selection_->timeline()) return;
            table_->reset(std::move(timeline), statistics);
            showNumbers();
          });
  connect(selection_, &Selection::timelineChanged, this, &TimelinesPage::giveRoom);
  for (const auto signal : {&Selection::timelineChanged, &Selection::stepChanged,
                            &Selection::axisChanged, &Selection::rangeChanged}) {
    connect(selection_, signal, this, &TimelinesPage::count);
  }
}

void TimelinesPage::open(const std::shared_ptr<const Recording>& recording) {
  const Findings& findings = *recording->findings;
  verdict_->setText(findings.verdict);
  remark_->setText(findings.remark);
  remark_->setVisible(!findings.remark.isEmpty());
}

void TimelinesPage::changeEvent(QEvent* event) {
  Page::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && selection_->timeline()) showNumbers();
}

void TimelinesPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  giveRoom();
  if (selection_->timeline()) showNumbers();
}

void TimelinesPage::giveRoom() {
  // The panes get what their lanes need; of what is left they get as much as they can grow by, and
  // the table the rest.
  const int all = splitter_->height() - splitter_->handleWidth();
  const int table = std::max(kLeastTablePx, std::min(kComfortableTablePx, all / 2));
  const int wanted = timelines_->sizeHint().height() + kOverviewPx;
  const int most = std::max(wanted, std::min(all - table, static_cast<int>(wanted * kMostStretch)));
  const int upper = std::max(kLeastPanesPx, std::min(most, all - kLeastTablePx));
  splitter_->setSizes({upper, std::max(kLeastTablePx, all - upper)});
}

void TimelinesPage::count() {
  if (!selection_->timeline()) return;
  RangeStatistics wanted;
  for (const Pane pane : kPanes) {
    if (!selection_->shows(pane)) continue;
    wanted.range[static_cast<size_t>(pane)] = selection_->countedRange(pane);
  }
  job_->request(selection_->timeline(), std::move(wanted));
}

QString TimelinesPage::numbersHeading() const {
  std::optional<TimeRange> shown;
  for (const Pane pane : kPanes) {
    if (!selection_->shows(pane)) continue;
    const int64_t originNs = selection_->originNs(pane);
    const TimeRange counted = selection_->countedRange(pane);
    const TimeRange time{counted.startNs - originNs, counted.endNs - originNs};
    if (!shown) shown = time;
    shown = TimeRange{std::min(shown->startNs, time.startNs), std::max(shown->endNs, time.endNs)};
  }
  const bool isStep = selection_->track() < selection_->timeline()->tracks.size();
  QString what = selection_->range() ? "Selection" : isStep ? "Step in view" : "In view";
  if (!shown) return what;
  return what + " " + durationText(shown->startNs) + " – " + durationText(shown->endNs);
}

void TimelinesPage::showNumbers() {
  const QString heading = "<b>" + numbersHeading() + "</b>";
  for (const Wording wording : {Wording::kFull, Wording::kShort, Wording::kShortest}) {
    QString text = heading;
    for (const Pane pane : kPanes) {
      const QString part = paneSummary(table_->statistics(), pane, wording);
      if (part.isEmpty()) continue;
      text += QString("&nbsp;&nbsp;&nbsp;<span style='color:%1'>%2</span>")
                  .arg(QColor(colours().secondary).name(), part);
    }
    summary_->setText(text);
    if (summary_->sizeHint().width() <= summary_->width()) return;
  }
}

}  // namespace jitscope::gui
