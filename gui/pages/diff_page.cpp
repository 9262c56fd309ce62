#include "gui/pages/diff_page.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/page_parts.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/sheet_view.h"

namespace jitscope::gui {
namespace {

constexpr int kPathsPx = 44;
constexpr int kLeastDetailsPx = 300;
constexpr int kLeastTotalsPx = 120;
constexpr int kTotalsPx = 760;  ///< wide enough; wider, names and numbers part

/// How many lines of a sheet say something.
int64_t tellingLines(const Sheet& sheet) {
  return std::count_if(sheet.lines.begin(), sheet.lines.end(),
                       [](const SheetLine& line) { return !line.isFaint; });
}

/// The sheet to open: `current` if it says something, else the first that does, else the first.
int sheetToOpen(const std::vector<std::shared_ptr<const Sheet>>& sheets, int current) {
  const auto tells = [](const auto& sheet) { return tellingLines(*sheet) > 0; };
  if (current >= 0 && std::cmp_less(current, sheets.size()) &&
      tells(sheets[static_cast<size_t>(current)])) {
    return current;
  }
  const auto first = std::find_if(sheets.begin(), sheets.end(), tells);
  return first == sheets.end() ? 0 : static_cast<int>(first - sheets.begin());
}

}  // namespace

DiffPage::DiffPage(Selection*, QWidget* parent)
    : Page(parent),
      comparing_([this](const DiffSheets& sheets) { showDiff(sheets); },
                 [this](const QString& error) {
                   DiffSheets sheets;
                   sheets.error = error;
                   showDiff(sheets);
                 }) {
  models_ = {new SheetTable(this), new SheetTable(this)};
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makePaths());
  parts_.verdict = new QLabel;
  parts_.verdict->setObjectName("diff_verdict");
  parts_.verdict->setFont(interfaceFont(15, QFont::Bold));
  parts_.verdict->setTextFormat(Qt::PlainText);
  parts_.verdict->setWordWrap(true);
  parts_.verdict->setContentsMargins(14, 4, 14, 10);
  column->addWidget(parts_.verdict);
  column->addWidget(makeDetails(), 1);
  column->addStretch(0);
  setFocusProxy(parts_.after);
  follow();
  showDiff({});
}

QWidget* DiffPage::makePaths() {
  auto* bar = new QWidget;
  bar->setFixedHeight(kPathsPx);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(14, 8, 14, 8);
  row->setSpacing(8);
  parts_.before = new ElidedLabel;
  parts_.before->setObjectName("diff_before");
  parts_.before->setFont(fixedFont(12));
  parts_.after = new QLineEdit;
  parts_.after->setObjectName("diff_after");
  parts_.after->setAccessibleName("Second recording");
  parts_.after->setFont(fixedFont(12));
  parts_.after->setPlaceholderText("a file or folder, then Return");
  parts_.choose =
      paddedButton("Choose…", "diff_choose", "Chooses the file of the second recording");
  row->addWidget(secondaryLabel("Before"));
  row->addWidget(parts_.before, 1);
  row->addWidget(secondaryLabel("After"));
  row->addWidget(parts_.after, 1);
  row->addWidget(parts_.choose);
  return bar;
}

SheetView* DiffPage::makeTable(SheetTable* model, const QString& name) {
  auto* view = new SheetView(name);
  view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view->setModel(model);
  return view;
}

QWidget* DiffPage::makeDetails() {
  parts_.body = tableGround();
  auto* column = new QVBoxLayout(parts_.body);
  column->setContentsMargins(4, 0, 4, 0);
  column->setSpacing(0);
  parts_.totals = makeTable(models_.totals, "Totals of both recordings");
  parts_.totals->setMaximumWidth(kTotalsPx);
  parts_.tabs = new QTabBar;
  parts_.tabs->setObjectName("diff_tabs");
  parts_.tabs->setAccessibleName("What is compared");
  parts_.tabs->setDrawBase(false);
  parts_.tabs->setExpanding(false);
  parts_.faint = new QCheckBox("Show what is the same or noise");
  parts_.faint->setObjectName("diff_faint");
  parts_.details = makeTable(models_.details, "Differences");
  parts_.empty = new ElidedLabel;
  parts_.empty->setObjectName("diff_empty");
  parts_.empty->setForegroundRole(QPalette::PlaceholderText);
  parts_.empty->setContentsMargins(10, 4, 10, 8);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 12, 8, 4);
  row->addWidget(parts_.tabs);
  row->addStretch(1);
  row->addWidget(parts_.faint);
  column->addWidget(parts_.totals);
  column->addLayout(row);
  column->addWidget(parts_.empty);
  column->addWidget(parts_.details, 1);
  return parts_.body;
}

void DiffPage::follow() {
  models_.details->showFaint(false);
  connect(parts_.after, &QLineEdit::returnPressed, this,
          [this] { compareTo(parts_.after->text().trimmed().toStdString()); });
  connect(parts_.choose, &QPushButton::clicked, this, &DiffPage::choosePath);
  connect(parts_.tabs, &QTabBar::currentChanged, this, &DiffPage::showDetails);
  connect(parts_.faint, &QCheckBox::toggled, this, [this](bool isShown) {
    models_.details->showFaint(isShown);
    showDetails(parts_.tabs->currentIndex());
  });
}

void DiffPage::choosePath() {
  auto* dialog = new QFileDialog(this, "Choose the second recording");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { compareTo(path.toStdString()); });
  dialog->open();
}

void DiffPage::open(const std::shared_ptr<const Recording>& recording) {
  recording_ = recording;
  parts_.before->setText(toLine(recording->run->path.string()));
  compare();
}

void DiffPage::compareTo(const std::filesystem::path& after) {
  after_ = after;
  parts_.after->setText(QString::fromStdString(after.string()));
  compare();
}

void DiffPage::compare() {
  comparing_.drop();
  showDiff({});
  if (!recording_ || after_.empty()) return;
  parts_.verdict->setText("comparing …");
  comparing_.start([recording = recording_, after = after_](const std::stop_token& stop) {
    return compareWith(*recording, after, stop);
  });
}

void DiffPage::showDiff(const DiffSheets& sheets) {
  sheets_ = sheets;
  const bool isThere = sheets.totals != nullptr;
  parts_.body->setVisible(isThere);
  QString text = sheets.error.isEmpty() ? sheets.verdict : sheets.error;
  if (text.isEmpty())
    text = "Choose a second recording: what is new, gone, slower and faster in it shows here.";
  parts_.verdict->setText(text);
  if (!isThere) return;
  models_.totals->reset(sheets.totals);
  const QSignalBlocker blocker(parts_.tabs);
  const int current = sheetToOpen(sheets.details, parts_.tabs->currentIndex());
  while (parts_.tabs->count() > 0) parts_.tabs->removeTab(0);
  for (const auto& sheet : sheets.details)
    parts_.tabs->addTab(sheet->title + " " + countText(tellingLines(*sheet)));
  parts_.tabs->setCurrentIndex(current);
  fitTotals();
  showDetails(current);
}

void DiffPage::showDetails(int which) {
  if (which < 0 || std::cmp_greater_equal(which, sheets_.details.size())) return;
  const auto& sheet = sheets_.details[static_cast<size_t>(which)];
  models_.details->reset(sheet);
  const bool isEmpty = models_.details->rowCount() == 0;
  const bool hidesAll = isEmpty && !sheet->lines.empty();
  parts_.empty->setText(hidesAll ? "No difference beyond what repeats vary by." : sheet->whyEmpty);
  parts_.empty->setVisible(isEmpty);
}

void DiffPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitTotals();
}

void DiffPage::fitTotals() {
  const QHeaderView* rows = parts_.totals->verticalHeader();
  const int wanted = parts_.totals->horizontalHeader()->height() +
                     models_.totals->rowCount() * rows->defaultSectionSize() + 2;
  parts_.totals->setFixedHeight(
      std::min(wanted, std::max(kLeastTotalsPx, height() - kLeastDetailsPx)));
}

}  // namespace jitscope::gui
