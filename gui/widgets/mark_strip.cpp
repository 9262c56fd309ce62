#include "gui/widgets/mark_strip.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "gui/models/number_text.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kLinePx = 22;
constexpr int kTitlePx = 110;
constexpr int kRightPx = 16;
constexpr int kTopPx = 6;

struct Line {
  MarkKind kind;
  const char* title;
};
constexpr Line kLines[] = {{MarkKind::kBreak, "breaks"},
                           {MarkKind::kRecompile, "recompiles"},
                           {MarkKind::kGuardFailure, "failed guards"}};
constexpr int kLinesPx = static_cast<int>(std::size(kLines)) * kLinePx;

}  // namespace

MarkStrip::MarkStrip(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
  setObjectName("marks");
  setAccessibleName("Breaks and recompiles over time");
  setFocusPolicy(Qt::StrongFocus);
  setFixedHeight(kTopPx + kLinesPx + 24);
  connect(selection, &Selection::timelineChanged, this, [this] {
    current_ = 0;
    fillPixels();
    update();
  });
}

void MarkStrip::setEmptyText(const QString& text) {
  emptyText_ = text;
  update();
}

const std::vector<Mark>& MarkStrip::marks() const {
  static const std::vector<Mark> kNone;
  return selection_->timeline() ? selection_->timeline()->marks : kNone;
}

int MarkStrip::pixelOf(int64_t timeNs) const {
  const TimeRange extent = selection_->timeline()->extent;
  const double share = static_cast<double>(timeNs - extent.startNs) /
                       static_cast<double>(std::max<int64_t>(1, extent.lengthNs()));
  const int widthPx = std::max(1, width() - kTitlePx - kRightPx);
  return kTitlePx + static_cast<int>(std::clamp(share, 0.0, 1.0) * (widthPx - 1));
}

void MarkStrip::fillPixels() {
  constexpr int kLeastPx = 2;
  // How many marks begin less how many end at a pixel: their sums tell what is covered.
  std::map<MarkKind, std::vector<int>> changes;
  for (const Mark& mark : marks()) {
    std::vector<int>& change = changes[mark.kind];
    change.resize(static_cast<size_t>(std::max(width(), kTitlePx)) + kLeastPx + 1);
    const int x = pixelOf(mark.time.startNs);
    ++change[static_cast<size_t>(x)];
    --change[static_cast<size_t>(std::max(x + kLeastPx, pixelOf(mark.time.endNs)))];
  }
  isMarked_.clear();
  for (const auto& [kind, change] : changes) {
    std::vector<bool>& isMarked = isMarked_[kind];
    int count = 0;
    for (const int step : change) isMarked.push_back((count += step) > 0);
  }
}

void MarkStrip::paintMarks(QPainter& painter, MarkKind kind, int top) const {
  const auto found = isMarked_.find(kind);
  if (found == isMarked_.end()) return;
  const std::vector<bool>& isMarked = found->second;
  for (auto begin = isMarked.begin(); begin != isMarked.end();) {
    begin = std::find(begin, isMarked.end(), true);
    const auto end = std::find(begin, isMarked.end(), false);
    painter.fillRect(static_cast<int>(begin - isMarked.begin()), top, static_cast<int>(end - begin),
                     kLinePx - 8, QColor(colourOf(kind)));
    begin = end;
  }
}

void MarkStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fillPixels();
}

void MarkStrip::paintAxis(QPainter& painter) const {
  const QRect axis(kTitlePx, kTopPx + kLinesPx, width() - kTitlePx - kRightPx, 20);
  painter.setFont(fixedFont(11));
  painter.setPen(QColor(colours().secondary));
  painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, "0 s");
  painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter,
                   durationText(selection_->timeline()->extent.lengthNs()));
}

void MarkStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(colours().surface));
  if (!selection_->timeline()) return;
  const QRect lines(kTitlePx, kTopPx, width() - kTitlePx - kRightPx, kLinesPx);
  painter.setFont(interfaceFont(12));
  painter.setPen(QColor(colours().secondary));
  if (marks().empty()) painter.drawText(lines, Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
  int top = kTopPx;
  for (const Line& line : kLines) {
    painter.drawText(QRect(12, top, kTitlePx - 12, kLinePx), Qt::AlignVCenter, line.title);
    if (!marks().empty())
      painter.fillRect(lines.left(), top + kLinePx - 2, lines.width(), 1, QColor(colours().line));
    paintMarks(painter, line.kind, top + 4);
    top += kLinePx;
  }
  paintAxis(painter);
  if (marks().empty() || !hasFocus()) return;
  painter.setPen(QColor(colours().text));
  painter.drawRect(pixelOf(marks()[current_].time.startNs) - 3, kTopPx, 6, kLinesPx);
}

void MarkStrip::mousePressEvent(QMouseEvent* event) {
  if (marks().empty()) return;
  const auto distance = [&](const Mark& mark) {
    return std::abs(pixelOf(mark.time.startNs) - static_cast<int>(event->position().x()));
  };
  const auto nearest =
      std::min_element(marks().begin(), marks().end(),
                       [&](const Mark& a, const Mark& b) { return distance(a) < distance(b); });
  current_ = static_cast<size_t>(nearest - marks().begin());
  choose();
}

void MarkStrip::keyPressEvent(QKeyEvent* event) {
  if (marks().empty()) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return move(-1);
    case Qt::Key_Right:
      return move(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return choose();
    default:
      QWidget::keyPressEvent(event);
  }
}

void MarkStrip::move(int step) {
  const auto last = static_cast<int64_t>(marks().size()) - 1;
  current_ =
      static_cast<size_t>(std::clamp<int64_t>(static_cast<int64_t>(current_) + step, 0, last));
  update();
}

void MarkStrip::choose() {
  selection_->goTo(selection_->leadingPane(), marks()[current_].time.startNs);
}

}  // namespace jitscope::gui
