#include "gui/widgets/sql_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>

#include "gui/widgets/palette.h"
#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {
namespace {

constexpr qsizetype kLettersBeforeOffer = 2;
constexpr int kListPx = 240;

}  // namespace

SqlEdit::SqlEdit(std::vector<SqlTable> tables, QWidget* parent)
    : QPlainTextEdit(parent), tables_(std::move(tables)) {
  setObjectName("sql");
  setAccessibleName("SQL query");
  setFont(fixedFont(12));
  setFrameShape(QFrame::NoFrame);
  setTabChangesFocus(true);
  setLineWrapMode(QPlainTextEdit::WidgetWidth);
  setVerticalScrollBar(new SlimScrollBar);
  setPlaceholderText("SELECT … FROM kernel");
  offered_ = new QStringListModel(this);
  completer_ = new QCompleter(offered_, this);
  completer_->setWidget(this);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->popup()->setFont(fixedFont(12));
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &SqlEdit::complete);
}

QStringList SqlEdit::completions() const {
  return sqlCompletions(tables_, toPlainText(), textCursor().position());
}

void SqlEdit::keyPressEvent(QKeyEvent* event) {
  if (takeKey(*event)) return;
  QPlainTextEdit::keyPressEvent(event);
  const QString typed = event->text();
  const bool isTyped = !typed.isEmpty() && typed[0].isPrint();
  const bool isTakenBack = event->key() == Qt::Key_Backspace && completer_->popup()->isVisible();
  if (isTyped || isTakenBack) offer(false);
}

bool SqlEdit::focusNextPrevChild(bool next) {
  // Tab takes what the list offers.
  return !completer_->popup()->isVisible() && QPlainTextEdit::focusNextPrevChild(next);
}

bool SqlEdit::takeKey(const QKeyEvent& event) {
  const bool hasControl = event.modifiers() == Qt::ControlModifier;
  const bool isReturn = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (completer_->popup()->isVisible() && !hasControl) {
    // The list takes these keys itself, once the editor lets them pass.
    if (isReturn || event.key() == Qt::Key_Tab || event.key() == Qt::Key_Escape) {
      if (event.key() != Qt::Key_Escape)
        complete(completer_->popup()->currentIndex().data().toString());
      completer_->popup()->hide();
      return true;
    }
  }
  if (!hasControl) return false;
  if (isReturn)
    Q_EMIT asked();
  else if (event.key() == Qt::Key_Space)
    offer(true);
  else if (event.key() == Qt::Key_Up)
    showQuery(history_.older(toPlainText()));
  else if (event.key() == Qt::Key_Down)
    showQuery(history_.newer());
  else
    return false;
  return true;
}

void SqlEdit::showQuery(const QString& query) {
  if (query.isNull()) return;
  selectAll();
  insertPlainText(query);  // Ctrl+Z brings back what stood there
}

void SqlEdit::offer(bool isWanted) {
  const QString word = sqlWordBefore(toPlainText(), textCursor().position());
  const qsizetype before = textCursor().position() - word.size() - 1;
  const bool isAfterDot = before >= 0 && toPlainText()[before] == u'.';
  const QStringList found = completions();
  if (found.isEmpty() || (!isWanted && !isAfterDot && word.size() < kLettersBeforeOffer)) {
    completer_->popup()->hide();
    return;
  }
  offered_->setStringList(found);
  QRect place = cursorRect();
  place.setWidth(kListPx);
  completer_->complete(place);
  completer_->popup()->setCurrentIndex(offered_->index(0));
}

void SqlEdit::complete(const QString& word) {
  if (word.isEmpty()) return;
  const QString begun = sqlWordBefore(toPlainText(), textCursor().position());
  QTextCursor cursor = textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(begun.size()));
  cursor.insertText(word);
  setTextCursor(cursor);
}

}  // namespace jitscope::gui
