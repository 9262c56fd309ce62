#include "gui/widgets/code_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>

#include "gui/loading/run_text.h"
#include "gui/widgets/code_highlighter.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {
namespace {

constexpr int kMarginPx = 52;
/// More than this takes seconds to lay out.
constexpr size_t kMostBytes = 1'500'000;

}  // namespace

/// The line numbers at the left.
class CodeView::Margin final : public QWidget {
 public:
  explicit Margin(CodeView* view) : QWidget(view), view_(view) {}

 protected:
  void paintEvent(QPaintEvent* event) override { view_->paintMargin(event); }

 private:
  CodeView* view_;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent),
      highlighter_(new CodeHighlighter(document())),
      margin_(new Margin(this)) {
  setObjectName("code");
  setAccessibleName("Text of the selected graph or code");
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  setFrameShape(QFrame::NoFrame);
  setFont(fixedFont(12));
  setViewportMargins(kMarginPx, 0, 0, 0);
  setVerticalScrollBar(new SlimScrollBar);
  setCursorWidth(2);
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    highlight();
    Q_EMIT lineSelected(textCursor().blockNumber());
  });
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int scrolled) {
    if (scrolled != 0)
      margin_->scroll(0, scrolled);
    else
      margin_->update(0, rect.y(), kMarginPx, rect.height());
  });
}

void CodeView::show(std::string_view text, CodeLanguage language) {
  highlighter_->setLanguage(language);
  marked_.clear();
  const bool isCut = text.size() > kMostBytes;
  QString shown = toWholeText(text.substr(0, kMostBytes));
  if (isCut) shown += QString("\n… cut: the text has %1 bytes").arg(text.size());
  setPlainText(shown);
  highlight();
}

QStringList CodeView::lines() const { return toPlainText().split('\n'); }

void CodeView::mark(const std::vector<int>& lines) {
  marked_ = lines;
  if (!lines.empty()) {
    setTextCursor(QTextCursor(document()->findBlockByNumber(lines.front())));
    centerCursor();
  }
  highlight();
}

void CodeView::highlight() {
  QList<QTextEdit::ExtraSelection> selections;
  const auto add = [&](int line, QColor background) {
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document()->findBlockByNumber(line));
    selection.format.setBackground(background);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selections.push_back(selection);
  };
  add(textCursor().blockNumber(), QColor(colours().raised));
  for (const int line : marked_) {
    add(line, QColor(colours().marked));
  }
  setExtraSelections(selections);
}

void CodeView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  highlighter_->rehighlight();
  highlight();
}

void CodeView::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  margin_->setGeometry(0, 0, kMarginPx, height());
}

void CodeView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    Q_EMIT lineChosen(textCursor().blockNumber());
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
}

void CodeView::mouseDoubleClickEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseDoubleClickEvent(event);
  Q_EMIT lineChosen(textCursor().blockNumber());
}

void CodeView::paintMargin(QPaintEvent* event) {
  QPainter painter(margin_);
  painter.fillRect(event->rect(), QColor(colours().surface));
  painter.setFont(fixedFont(11));
  painter.setPen(QColor(colours().secondary));
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    if (place.top() > event->rect().bottom()) break;
    painter.drawText(QRectF(0, place.top(), kMarginPx - 14, place.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(block.blockNumber() + 1));
  }
}

}  // namespace jitscope::gui
