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

}  // namespace

MarkStrip::MarkStrip(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
  setObjectName("marks");
  setAccessibleName("Breaks and recompiles over time");
  setFocusPolicy(Qt::StrongFocus);
  setFixedHeight(kTopPx + static_cast<int>(std::size(kLines)) * kLinePx + 24);
  connect(selection, &Selection::timelineChanged, this, [this] {
    current_ = 0;
    update();
  });
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

void MarkStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(colour::kSurface));
  if (!selection_->timeline()) return;
  painter.setFont(interfaceFont(12));
  for (size_t i = 0; i < std::size(kLines); ++i) {
    const int top = kTopPx + static_cast<int>(i) * kLinePx;
    painter.setPen(QColor(colour::kSecondary));
    painter.drawText(QRect(12, top, kTitlePx - 12, kLinePx), Qt::AlignVCenter, kLines[i].title);
    painter.fillRect(kTitlePx, top + kLinePx - 2, width() - kTitlePx - kRightPx, 1,
                     QColor(colour::kLine));
    for (const Mark& mark : marks()) {
      if (mark.kind != kLines[i].kind) continue;
      const int x = pixelOf(mark.time.startNs);
      const int widthPx = std::max(2, pixelOf(mark.time.endNs) - x);
      painter.fillRect(x, top + 4, widthPx, kLinePx - 8, QColor(colourOf(mark.kind)));
    }
  }
  const int bottom = kTopPx + static_cast<int>(std::size(kLines)) * kLinePx;
  painter.setFont(fixedFont(11));
  painter.setPen(QColor(colour::kSecondary));
  const QRect axis(kTitlePx, bottom, width() - kTitlePx - kRightPx, 20);
  painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, "0 s");
  painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter,
                   durationText(selection_->timeline()->extent.lengthNs()));
  if (marks().empty()) {
    painter.setFont(interfaceFont(12));
    painter.drawText(axis, Qt::AlignCenter, "no break, no recompile");
  } else if (hasFocus()) {
    painter.setPen(QColor(colour::kText));
    painter.drawRect(pixelOf(marks()[current_].time.startNs) - 3, kTopPx, 6, bottom - kTopPx);
  }
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
