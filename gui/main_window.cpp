#include "gui/main_window.h"

#include <QDropEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/counterpart.h"
#include "gui/models/number_text.h"
#include "gui/models/step_detail.h"
#include "gui/pages/page_list.h"
#include "gui/pages/timelines_page.h"
#include "gui/widgets/command_palette.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/finding_view.h"
#include "gui/widgets/key_help.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/side_bar.h"
#include "gui/widgets/timeline_view.h"
#include "gui/window_commands.h"

namespace jitscope::gui {
namespace {

constexpr int kLeftPx = 232;   ///< of the findings, where there is room
constexpr int kRightPx = 336;  ///< of the details, where there is room
constexpr int kLeastLeftPx = 176;
constexpr int kLeastRightPx = 250;
constexpr int kLeastPagePx = 320;
constexpr int kRoomyPx = 1500;  ///< a window this wide has room

QLabel* label(const QFont& font, QPalette::ColorRole role = QPalette::PlaceholderText) {
  auto* result = new ElidedLabel;
  result->setFont(font);
  result->setForegroundRole(role);
  return result;
}

/// A strip of the raised surface with its children in a row.
QWidget* strip(int height, const std::vector<QWidget*>& children) {
  auto* result = new QWidget;
  result->setFixedHeight(height);
  result->setAutoFillBackground(true);
  result->setBackgroundRole(QPalette::Base);
  auto* row = new QHBoxLayout(result);
  row->setContentsMargins(16, 0, 16, 0);
  row->setSpacing(16);
  for (QWidget* child : children) {
    if (child == nullptr)
      row->addStretch(1);
    else
      row->addWidget(child);
  }
  return result;
}

/// What the other pane does instead of the picked event, for its detail.
void addCounterpart(const Selection& selection, const Pick& pick, Detail& detail) {
  const auto other = counterpart(*selection.timeline(), selection.stepTimes(), pick);
  if (!other) return;
  const int64_t hereNs = timeOf(*selection.timeline(), pick).lengthNs();
  const bool isEager = pick.pane == Pane::kEager;
  const int64_t eagerNs = isEager ? hereNs : other->lengthNs();
  const int64_t compiledNs = isEager ? other->lengthNs() : hereNs;
  const auto most = static_cast<double>(std::max<int64_t>({1, eagerNs, compiledNs}));
  DetailSection section;
  section.heading = "the same work in both panes";
  const QString eagerName = selection.timeline()->tracks[selection.track()].eagerName();
  section.bars = {
      {eagerName, static_cast<double>(eagerNs) / most, durationText(eagerNs), Category::kEager},
      {"compiled", static_cast<double>(compiledNs) / most, durationText(compiledNs),
       Category::kCompiled}};
  section.prose = ratioText(eagerName, eagerNs, "compiled", compiledNs);
  const auto at = std::min<size_t>(1, detail.sections.size());
  detail.sections.insert(detail.sections.begin() + static_cast<std::ptrdiff_t>(at), section);
}

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  setWindowTitle("jitscope");
  setAcceptDrops(true);
  auto* center = new QWidget;
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  makePages();
  detail_ = new DetailPanel;
  row->addWidget(side_);
  row->addWidget(pages_, 1);
  row->addWidget(detail_);
  column->addWidget(makeTop());
  column->addLayout(row, 1);
  column->addWidget(makeStatus());
  setCentralWidget(center);
  setTabOrder(timelines_->timelines(), side_->findings());
  makeShortcuts(center);
  followLoader();
  followSelection();
  showPage(timelinesPage());
}

MainWindow::~MainWindow() {
  // Views read the selection and the models until they are gone.
  delete takeCentralWidget();
}

QWidget* MainWindow::makeTop() {
  auto* name = label(interfaceFont(15, QFont::Bold), QPalette::WindowText);
  name->setText("jitscope");
  labels_.recording = label(interfaceFont(12));
  labels_.losses = label(interfaceFont(12));
  // Of the three the recording gives way: its devices and versions can be many.
  for (QLabel* firm : {name, labels_.losses}) {
    firm->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  }
  return strip(40, {name, labels_.recording, nullptr, labels_.losses});
}

void MainWindow::makePages() {
  pages_ = new QStackedWidget;
  pages_->setObjectName("pages");
  // Else the widest page, though out of sight, would keep the window from becoming small.
  pages_->setMinimumSize(kLeastPagePx, kLeastPagePx);
  QStringList titles;
  for (const PageEntry& entry : pageList()) {
    Page* page = entry.make(&selection_);
    page->setAccessibleName(entry.title);
    pages_->addWidget(page);
    titles << entry.title;
    if (auto* timelines = qobject_cast<TimelinesPage*>(page)) timelines_ = timelines;
  }
  side_ = new SideBar(titles, &findings_);
  connect(side_, &SideBar::pageChosen, this, &MainWindow::showPage);
}

void MainWindow::makeShortcuts(QWidget* center) {
  auto* help = new KeyHelp(center);
  // Keyboards say "?" with and without Shift.
  for (const char* key : {"?", "Shift+?", "F1"}) {
    connect(new QShortcut(QKeySequence(key), this), &QShortcut::activated, help, &KeyHelp::toggle);
  }
  auto* palette = new CommandPalette(center);
  connect(new QShortcut(QKeySequence("Ctrl+K"), this), &QShortcut::activated, palette,
          [this, palette] { palette->open(windowCommands(*this)); });
  // Its commands are of the recording that it was opened over.
  connect(&loader_, &TraceLoader::recordingAvailable, palette, &CommandPalette::dismiss);
  connect(new QShortcut(QKeySequence::Open, this), &QShortcut::activated, this,
          [this] { chooseFile(*this); });
  connect(new QShortcut(QKeySequence::Quit, this), &QShortcut::activated, this, &QWidget::close);
  for (int i = 0; i < pages_->count(); ++i) {
    auto* shortcut = new QShortcut(QKeySequence(QString("Ctrl+%1").arg(i + 1)), this);
    connect(shortcut, &QShortcut::activated, this, [this, i] { showPage(static_cast<size_t>(i)); });
  }
}

Page* MainWindow::page(int index) const { return static_cast<Page*>(pages_->widget(index)); }

void MainWindow::showPage(size_t page) {
  bringUp(page);
  pages_->currentWidget()->setFocus();
}

void MainWindow::bringUp(size_t page) {
  pages_->setCurrentIndex(static_cast<int>(page));
  side_->setPage(page);
  // Details are of what is picked on the timelines; other pages need the room.
  detail_->setVisible(pages_->currentWidget() == timelines_);
  showStatus();
}

size_t MainWindow::timelinesPage() const {
  return static_cast<size_t>(pages_->indexOf(timelines_));
}

QWidget* MainWindow::makeStatus() {
  labels_.position = label(fixedFont(11));
  labels_.hint = label(interfaceFont(11));
  labels_.hint->setText("? for keys");
  return strip(26, {labels_.position, nullptr, labels_.hint});
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const double share = std::min(1.0, width() / static_cast<double>(kRoomyPx));
  side_->setFixedWidth(std::max(kLeastLeftPx, static_cast<int>(kLeftPx * share)));
  detail_->setFixedWidth(std::max(kLeastRightPx, static_cast<int>(kRightPx * share)));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() != 1 || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  open(urls.front().toLocalFile().toStdString());
}

void MainWindow::open(const std::filesystem::path& path) {
  labels_.recording->setText("loading " + QString::fromStdString(path.string()));
  loader_.load(path);
}

void MainWindow::followLoader() {
  connect(&loader_, &TraceLoader::progressed, this, [this](int percent, const QString& what) {
    labels_.position->setText(QString("%1 … %2 %").arg(what).arg(percent));
  });
  connect(&loader_, &TraceLoader::timelineAvailable, this, [this](const auto& timeline) {
    selection_.setTimeline(timeline);
    labels_.recording->setText(timeline->title + " · " + timeline->subtitle);
    labels_.losses->setText(durationText(timeline->extent.lengthNs()) + " recorded · " +
                            timeline->losses);
    setWindowTitle(timeline->title + " – jitscope");
    showStatus();
  });
  connect(&loader_, &TraceLoader::recordingAvailable, this, [this](const auto& recording) {
    findings_.reset(recording->findings);
    for (int i = 0; i < pages_->count(); ++i) page(i)->open(recording);
  });
  connect(&loader_, &TraceLoader::failed, this, [this](const QString& text) {
    labels_.recording->setText(text);
    labels_.position->clear();
  });
}

void MainWindow::followSelection() {
  FindingListView* const findings = side_->findings();
  connect(&selection_, &Selection::findingChosen, this, &MainWindow::showFinding);
  connect(&selection_, &Selection::timelinesWanted, this, [this] { showPage(timelinesPage()); });
  connect(&selection_, &Selection::pickChanged, this, &MainWindow::showPick);
  connect(&selection_, &Selection::stepChanged, this, &MainWindow::showPick);
  connect(&selection_, &Selection::axisChanged, this, &MainWindow::showStatus);
  connect(&selection_, &Selection::rangeChanged, this, &MainWindow::showStatus);
  connect(timelines_->timelines(), &TimelineView::cursorMoved, this, &MainWindow::showStatus);
  connect(findings, &QAbstractItemView::clicked, this,
          [this](const QModelIndex& index) { showFinding(static_cast<size_t>(index.row())); });
  connect(findings->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this, findings](const QModelIndex& index) {
            if (index.isValid() && findings->hasFocus())
              showFinding(static_cast<size_t>(index.row()));
          });
}

void MainWindow::showPick() {
  const auto& pick = selection_.pick();
  const auto& timeline = selection_.timeline();
  if (!pick && timeline && selection_.track() < timeline->tracks.size()) {
    const StepTrack& track = timeline->tracks[selection_.track()];
    return detail_->show(stepDetail(*timeline, track, selection_.step()));
  }
  if (!pick || !timeline->describe) return detail_->show(std::nullopt);
  side_->findings()->clearSelection();
  Detail detail = selection_.timeline()->describe(*pick);
  addCounterpart(selection_, *pick, detail);
  detail_->show(std::move(detail));
}

void MainWindow::showFinding(size_t row) {
  if (std::cmp_greater_equal(row, findings_.rowCount())) return;
  const FindingView& finding = findings_.finding(static_cast<int>(row));
  bringUp(timelinesPage());
  selection_.setPick(std::nullopt);
  if (finding.timeNs) selection_.reveal(selection_.leadingPane(), *finding.timeNs);
  detail_->show(finding.detail);
}

void MainWindow::showStatus() {
  if (!selection_.timeline()) return;
  if (pages_->currentWidget() != timelines_) {
    labels_.position->clear();
    labels_.hint->setText(
        QString("Ctrl+K to search · Ctrl+1 … Ctrl+%1 for pages · ? for keys").arg(pages_->count()));
    return;
  }
  QString text = durationText(static_cast<int64_t>(selection_.axis().spanNs())) + " in view";
  if (const auto cursorNs = timelines_->timelines()->cursorNs()) {
    text += " · cursor " + durationText(*cursorNs);
    if (const auto hovered = timelines_->timelines()->hovered()) {
      text += " · " + nameOf(*selection_.timeline(), *hovered) + " " +
              durationText(timeOf(*selection_.timeline(), *hovered).lengthNs());
    }
  }
  if (selection_.range()) text += " · Δ " + durationText(selection_.range()->lengthNs());
  labels_.position->setText(text);
  QString hint = "? for keys";
  if (selection_.track() < selection_.timeline()->tracks.size()) {
    hint = "aligned by call of " + selection_.timeline()->tracks[selection_.track()].frame + " · " +
           hint;
  }
  labels_.hint->setText(hint);
}

}  // namespace jitscope::gui
