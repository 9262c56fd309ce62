#include "gui/pages/kernels_page.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/event_finder.h"
#include "gui/models/number_text.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/empty_note.h"
#include "gui/widgets/histogram_view.h"
#include "gui/widgets/page_parts.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/sheet_view.h"

namespace jitscope::gui {
namespace {

constexpr int kDetailPx = 150;
constexpr int kFilterPx = 320;

QString factsOf(const KernelLine& line, const analyzer::DurationSpread& spread) {
  QStringList facts;
  facts << line.origin + (line.graph.isEmpty() ? QString() : ", graph " + line.graph)
        << countText(line.count) + " in " + durationText(line.totalNs)
        << "shortest " + durationText(spread.minNs) << "median " + durationText(spread.medianNs)
        << "p95 " + durationText(spread.p95Ns) << "longest " + durationText(spread.maxNs);
  // Lines break between facts, not between a number and its unit.
  for (QString& fact : facts) fact.replace(' ', QChar::Nbsp);
  return facts.join(" · ");
}

}  // namespace

KernelsPage::KernelsPage(Selection* selection, QWidget* parent)
    : Page(parent),
      selection_(selection),
      table_(new KernelTable(this)),
      grouping_([this](const Made& made) { showKernels(made); },
                [this](const QString& error) { failKernels(error); }),
      spreading_([this](const analyzer::DurationSpread& spread) { showSpread(spread); },
                 [this](const QString& error) { parts_.facts->setText(error); }) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTop());
  parts_.body = tableGround();
  auto* body = new QVBoxLayout(parts_.body);
  body->setContentsMargins(4, 0, 4, 0);
  body->setSpacing(0);
  parts_.view = new SheetView("Kernels");
  parts_.view->setModel(table_);
  body->addWidget(parts_.view, 1);
  body->addWidget(makeDetail());
  column->addWidget(parts_.body, 1);
  parts_.empty = new EmptyNote;
  parts_.empty->hide();
  column->addWidget(parts_.empty, 1);
  setFocusProxy(parts_.view);
  setTabOrder(parts_.filter, parts_.view);
  setTabOrder(parts_.view, parts_.slowest);
  follow();
}

QWidget* KernelsPage::makeTop() {
  auto* top = new QWidget;
  top->setFixedHeight(52);
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins(14, 8, 14, 8);
  row->setSpacing(12);
  parts_.summary = new ElidedLabel;
  parts_.summary->setObjectName("kernels_summary");
  parts_.summary->setFont(interfaceFont(15, QFont::Bold));
  parts_.count = secondaryLabel();
  parts_.filter = new QLineEdit;
  parts_.filter->setObjectName("kernel_filter");
  parts_.filter->setAccessibleName("Filter kernels");
  parts_.filter->setPlaceholderText("Filter: name, operator, graph, origin");
  parts_.filter->setToolTip("Shows only lines that hold all of these words (Ctrl+F)");
  parts_.filter->setClearButtonEnabled(true);
  parts_.filter->setFixedWidth(kFilterPx);
  row->addWidget(parts_.summary, 1);
  row->addWidget(parts_.count);
  row->addWidget(parts_.filter);
  return top;
}

QWidget* KernelsPage::makeDetail() {
  auto* detail = new QWidget;
  detail->setFixedHeight(kDetailPx);
  auto* row = new QHBoxLayout(detail);
  row->setContentsMargins(8, 8, 8, 8);
  row->setSpacing(16);
  auto* words = new QVBoxLayout;
  words->setSpacing(6);
  parts_.name = new ElidedLabel;
  parts_.name->setFont(fixedFont(13, QFont::Bold));
  parts_.facts = secondaryLabel();
  parts_.facts->setObjectName("kernel_facts");
  parts_.facts->setWordWrap(true);
  parts_.slowest = paddedButton("Show the slowest on the timeline", "slowest",
                                "Return in the table does the same");
  words->addWidget(parts_.name);
  words->addWidget(parts_.facts);
  words->addStretch(1);
  words->addWidget(parts_.slowest, 0, Qt::AlignLeft);
  parts_.histogram = new HistogramView;
  row->addLayout(words, 3);
  row->addWidget(parts_.histogram, 4);
  return detail;
}

void KernelsPage::follow() {
  connect(parts_.filter, &QLineEdit::textChanged, this, [this](const QString& wanted) {
    const auto kept = chosen_;
    table_->filterBy(wanted);
    showCount();
    choose(kept.value_or(0));
  });
  connect(parts_.view, &SheetView::rowSelected, this, &KernelsPage::showChosen);
  connect(parts_.view, &SheetView::rowChosen, this, &KernelsPage::goToSlowest);
  connect(parts_.slowest, &QPushButton::clicked, this, &KernelsPage::goToSlowest);
  auto* find = new QShortcut(QKeySequence::Find, this);
  find->setContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QShortcut::activated, this, [this] {
    parts_.filter->setFocus();
    parts_.filter->selectAll();
  });
  showChosen();
}

void KernelsPage::open(const std::shared_ptr<const Recording>& recording) {
  // Lines of the last recording mean nothing in this one.
  made_ = {};
  table_->reset(std::make_shared<const KernelLines>());
  showCount();
  showChosen();
  parts_.summary->setText("counting …");
  grouping_.start([recording](const std::stop_token&) {
    return Made{recording, groupedKernels(*recording)};
  });
}

void KernelsPage::failKernels(const QString& error) {
  auto lines = std::make_shared<KernelLines>();
  lines->whyEmpty = error;
  showKernels({nullptr, {{}, std::move(lines)}});
}

void KernelsPage::showSpread(const analyzer::DurationSpread& spread) {
  const KernelLine& line = made_.kernels.lines->list[*chosen_];
  parts_.histogram->show(spread, line.category);
  parts_.facts->setText(factsOf(line, spread));
}

void KernelsPage::showKernels(const Made& made) {
  made_ = made;
  chosen_.reset();
  const KernelLines& lines = *made.kernels.lines;
  table_->reset(made.kernels.lines);
  const bool isEmpty = lines.list.empty();
  parts_.summary->setText(isEmpty ? "Kernels" : lines.summary);
  parts_.empty->setText(lines.whyEmpty);
  // What is to take the keys shows before the other goes.
  if (isEmpty) {
    parts_.empty->show();
    giveKeysTo(parts_.empty);
    parts_.body->hide();
  } else {
    parts_.body->show();
    giveKeysTo(parts_.view);
    parts_.empty->hide();
  }
  parts_.filter->setVisible(!isEmpty);
  parts_.view->measureColumns();
  showCount();
  choose(0);
}

void KernelsPage::showCount() {
  const auto all = static_cast<int64_t>(made_.kernels.lines ? made_.kernels.lines->list.size() : 0);
  const int64_t shown = table_->rowCount();
  QString text = all == 0 ? QString() : countText(all) + " different";
  if (shown != all) text = countText(shown) + " of " + text;
  parts_.count->setText(text);
}

void KernelsPage::choose(size_t line) {
  if (table_->rowCount() == 0) return showChosen();
  const int row = std::max(0, table_->rowOf(line));
  parts_.view->setCurrentIndex(table_->index(row, 0));
  showChosen();
}

void KernelsPage::showChosen() {
  const QModelIndex current = parts_.view->currentIndex();
  const std::optional<size_t> line =
      current.isValid() ? std::optional(table_->lineAt(current.row())) : std::nullopt;
  parts_.slowest->setEnabled(line.has_value());
  if (line && line == chosen_) return;
  chosen_ = line;
  parts_.histogram->show({}, Category::kHost);
  parts_.facts->clear();
  parts_.name->setText(line ? made_.kernels.lines->list[*line].name : QString());
  if (!line) return spreading_.drop();
  spreading_.start([recording = made_.recording, group = made_.kernels.groups[*line]](
                       const std::stop_token&) { return spreadOf(*recording, group); });
}

void KernelsPage::goToSlowest() {
  if (!chosen_ || !selection_->timeline()) return;
  const KernelLine& line = made_.kernels.lines->list[*chosen_];
  Pane pane = line.category == Category::kEager ? Pane::kEager : Pane::kCompiled;
  if (!selection_->shows(pane)) pane = selection_->leadingPane();
  selection_->goTo(pane, line.slowestNs);
  selection_->setPick(findEvent(*selection_->timeline(), pane, line.name, line.slowestNs));
}

}  // namespace jitscope::gui
