#include "gui/pages/query_page.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

#include "gui/models/number_text.h"
#include "gui/recent_queries.h"
#include "gui/widgets/page_parts.h"
#include "gui/widgets/sheet_view.h"
#include "gui/widgets/sql_edit.h"

namespace jitscope::gui {
namespace {

constexpr int kEditorPx = 150;

}  // namespace

QueryPage::QueryPage(Selection*, QWidget* parent)
    : Page(parent),
      table_(new SheetTable(this)),
      answering_([this](const QueryAnswer& answer) { showAnswer(answer); },
                 [this](const QString& error) { showState(error); }),
      saving_([this](const SavedAnswer& saved) { showSaved(saved); },
              [this](const QString& error) { showState(error); }) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setHandleWidth(6);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeEditor());
  auto* lower = tableGround();
  auto* lowerColumn = new QVBoxLayout(lower);
  lowerColumn->setContentsMargins(4, 0, 4, 0);
  lowerColumn->setSpacing(0);
  parts_.view = new SheetView("Answer");
  parts_.view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  parts_.view->setModel(table_);
  lowerColumn->addWidget(makeBar());
  lowerColumn->addWidget(parts_.view, 1);
  splitter->addWidget(lower);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({kEditorPx, kEditorPx * 3});
  column->addWidget(splitter, 1);
  setFocusProxy(parts_.editor);
  follow();
  showState({});
}

QWidget* QueryPage::makeEditor() {
  auto* box = new QWidget;
  box->setMinimumHeight(90);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(14, 12, 14, 6);
  parts_.editor = new SqlEdit(sqlTables());
  const QStringList kept = RecentQueries::list();
  for (auto query = kept.rbegin(); query != kept.rend(); ++query)
    parts_.editor->history().add(*query);
  column->addWidget(parts_.editor, 1);
  return box;
}

QWidget* QueryPage::makeBar() {
  auto* bar = new QWidget;
  bar->setFixedHeight(44);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 6, 8, 6);
  row->setSpacing(8);
  parts_.run = paddedButton("Run", "run", "Ctrl+Return");
  parts_.stop = paddedButton("Cancel", "cancel", "Ends the query that is being answered (Escape)");
  parts_.state = new QLabel;
  parts_.state->setObjectName("query_state");
  parts_.state->setTextFormat(Qt::PlainText);
  parts_.state->setWordWrap(true);
  parts_.state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  parts_.copy = paddedButton("Copy", "copy", "Copies the selected rows, or all of them (Ctrl+C)");
  parts_.save =
      paddedButton("Save as CSV…", "save", "Writes the whole answer into a file (Ctrl+S)");
  row->addWidget(parts_.run);
  row->addWidget(parts_.stop);
  row->addWidget(parts_.state, 1);
  row->addWidget(parts_.copy);
  row->addWidget(parts_.save);
  return bar;
}

void QueryPage::follow() {
  connect(parts_.editor, &SqlEdit::asked, this, &QueryPage::ask);
  connect(parts_.run, &QPushButton::clicked, this, &QueryPage::ask);
  connect(parts_.stop, &QPushButton::clicked, this, &QueryPage::stop);
  connect(parts_.copy, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(parts_.view->selectedText());
    const auto rows = parts_.view->selectionModel()->selectedRows().size();
    showState(countedText(rows > 0 ? rows : table_->rowCount(), "row") + " copied");
  });
  connect(parts_.save, &QPushButton::clicked, this, &QueryPage::chooseFile);
  const auto addShortcut = [this](const QKeySequence& keys, QPushButton* wanted) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, wanted, &QPushButton::click);
  };
  addShortcut(QKeySequence::Save, parts_.save);
  addShortcut(Qt::Key_Escape, parts_.stop);
}

void QueryPage::open(const std::shared_ptr<const Recording>& recording) {
  answering_.drop();
  saving_.drop();
  recording_ = recording;
  answered_.clear();
  parts_.isFresh = true;
  table_->reset(Sheet());
  if (parts_.editor->toPlainText().isEmpty()) parts_.editor->setPlainText(firstQuery(*recording));
  showState({});
  if (isVisible()) answer();
}

void QueryPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (parts_.isFresh) answer();
}

void QueryPage::ask() {
  if (saving_.isAwaited()) return;
  RecentQueries::add(parts_.editor->toPlainText());
  answer();
}

void QueryPage::answer() {
  if (!recording_ || saving_.isAwaited()) return;
  parts_.isFresh = false;
  asked_ = parts_.editor->toPlainText();
  parts_.editor->history().add(asked_);
  answering_.start([recording = recording_, sql = asked_.toStdString()](
                       const std::stop_token& stop) { return answerOf(*recording, sql, stop); });
  showState("running …");
}

void QueryPage::stop() {
  answering_.stop();
  saving_.stop();
}

void QueryPage::showAnswer(const QueryAnswer& answer) {
  if (answer.isStopped) return showState("cancelled");
  if (!answer.sheet) return showState(answer.error);
  answered_ = asked_;
  table_->reset(answer.sheet);
  const QString rows = countedText(table_->rowCount(), "row");
  showState(answer.hasMore ? "the first " + rows + "; saved are all" : rows);
}

void QueryPage::chooseFile() {
  auto* dialog = new QFileDialog(this, "Save the answer as CSV", "answer.csv", "CSV (*.csv)");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("csv");
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { save(path.toStdString()); });
  dialog->open();
}

void QueryPage::save(const std::filesystem::path& path) {
  if (!recording_ || answered_.isEmpty() || answering_.isAwaited()) return;
  parts_.savingTo = QString::fromStdString(path.string());
  saving_.start(
      [recording = recording_, sql = answered_.toStdString(), path](const std::stop_token& stop) {
        return saveAnswer(*recording, sql, path, stop);
      });
  showState("saving …");
}

void QueryPage::showSaved(const SavedAnswer& saved) {
  if (saved.isStopped) return showState("cancelled, nothing is saved");
  showState(saved.error.isEmpty() ? "saved as " + parts_.savingTo : saved.error);
}

void QueryPage::showState(const QString& text) {
  const bool isBusy = answering_.isAwaited() || saving_.isAwaited();
  parts_.state->setText(text);
  parts_.run->setEnabled(recording_ != nullptr && !isBusy);
  parts_.stop->setEnabled(isBusy);
  const bool hasAnswer = !answered_.isEmpty() && !isBusy;
  parts_.copy->setEnabled(hasAnswer);
  parts_.save->setEnabled(hasAnswer);
}

}  // namespace jitscope::gui
