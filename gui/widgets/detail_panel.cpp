#include "gui/widgets/detail_panel.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "gui/widgets/palette.h"
#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {
namespace {

constexpr int kMarginPx = 16;
constexpr int kFieldPx = 108;  ///< width of a field's name
constexpr int kCodeLinePx = 16;

/// Draws downwards; with no painter it only measures, so that height and picture cannot disagree.
class Column {
 public:
  Column(QPainter* painter, int width) : painter_(painter), width_(width) {}

  int y() const { return y_; }
  void skip(int pixels) { y_ += pixels; }

  /// Wrapped text; breaks inside words where it must (kernel names have no spaces).
  void text(const QString& text, const QFont& font, QRgb colour, int left, int spacing = 3) {
    for (const QString& paragraph : text.split('\n'))
      paragraphOf(paragraph, font, colour, left, spacing);
  }

  void heading(const QString& text) {
    skip(14);
    this->text(text.toUpper(), interfaceFont(11, QFont::Bold), colours().secondary, kMarginPx);
    skip(5);
  }

  void field(const DetailField& field) {
    const int top = y_;
    text(field.name, interfaceFont(12), colours().secondary, kMarginPx);
    const int nameEnd = y_;
    y_ = top;
    text(field.value, interfaceFont(12), colours().text, kMarginPx + kFieldPx);
    y_ = std::max(y_, nameEnd) + 3;
  }

  void bar(const DetailBar& bar) {
    constexpr int kBarPx = 14;
    const int left = kMarginPx + kFieldPx;
    const QFont font = fixedFont(11);
    const int valuePx = QFontMetrics(font).horizontalAdvance(bar.value);
    const int room = std::max(20, width_ - left - kMarginPx - valuePx - 8);
    if (painter_ != nullptr) {
      painter_->setFont(interfaceFont(12));
      painter_->setPen(QColor(colours().secondary));
      const QString name =
          painter_->fontMetrics().elidedText(bar.name, Qt::ElideRight, kFieldPx - 6);
      painter_->drawText(kMarginPx, y_ + 11, name);
      const int length = std::max(2, static_cast<int>(bar.share * room));
      painter_->setPen(Qt::NoPen);
      painter_->setBrush(QColor(colourOf(bar.category)));
      painter_->drawRoundedRect(QRect(left, y_, length, kBarPx), 2, 2);
      painter_->setFont(font);
      painter_->setPen(QColor(colours().text));
      painter_->drawText(left + length + 8, y_ + 11, bar.value);
    }
    y_ += kBarPx + 5;
  }

  void code(const QStringList& lines) {
    const QFont font = fixedFont(11);
    const int height = static_cast<int>(lines.size()) * kCodeLinePx + 12;
    if (painter_ != nullptr) {
      const QRect box(kMarginPx, y_, width_ - 2 * kMarginPx, height);
      painter_->setPen(QColor(colours().line));
      painter_->setBrush(QColor(colours().ground));
      painter_->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
      painter_->setFont(font);
      painter_->setPen(QColor(colours().text));
      int line = y_ + 6 + 12;
      for (const QString& text : lines) {
        painter_->drawText(
            kMarginPx + 10, line,
            painter_->fontMetrics().elidedText(text, Qt::ElideRight, box.width() - 18));
        line += kCodeLinePx;
      }
    }
    y_ += height + 4;
  }

 private:
  void paragraphOf(const QString& paragraph, const QFont& font, QRgb colour, int left,
                   int spacing) {
    QTextLayout layout(paragraph, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    int height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
      line.setLineWidth(std::max(40, width_ - left - kMarginPx));
      line.setPosition(QPointF(0, height));
      height += static_cast<int>(line.height()) + spacing - 2;
    }
    layout.endLayout();
    if (painter_ != nullptr) {
      painter_->setPen(QColor(colour));
      layout.draw(painter_, QPointF(left, y_));
    }
    y_ += height;
  }

  QPainter* painter_;
  int width_;
  int y_ = kMarginPx;
};

int layOut(const std::optional<Detail>& detail, QPainter* painter, int width) {
  Column column(painter, width);
  if (!detail) {
    column.text("Nothing selected", interfaceFont(13, QFont::Bold), colours().text, kMarginPx);
    column.skip(6);
    column.text(
        "Click an event, a mark or a finding. Keys: Ctrl and an arrow select events, N goes to "
        "the next break or recompile, ? lists all keys.",
        interfaceFont(12), colours().secondary, kMarginPx, 4);
    return column.y() + kMarginPx;
  }
  column.text(detail->title, fixedFont(13, QFont::Bold), colours().text, kMarginPx);
  column.skip(3);
  column.text(detail->kind, interfaceFont(12, QFont::DemiBold), inkOf(detail->category), kMarginPx);
  column.skip(8);
  for (const DetailSection& section : detail->sections) {
    if (!section.heading.isEmpty()) column.heading(section.heading);
    for (const DetailField& field : section.fields) column.field(field);
    for (const DetailBar& bar : section.bars) column.bar(bar);
    if (!section.prose.isEmpty()) {
      column.text(section.prose, interfaceFont(12), colours().text, kMarginPx, 4);
    }
    if (!section.code.isEmpty()) column.code(section.code);
  }
  return column.y() + kMarginPx;
}

}  // namespace

class DetailPanel::Page final : public QWidget {
 public:
  std::optional<Detail> detail;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), QColor(colours().surface));
    layOut(detail, &painter, width());
  }
};

DetailPanel::DetailPanel(QWidget* parent) : QScrollArea(parent), page_(new Page) {
  setObjectName("detail");
  setAccessibleName("Details of the selection");
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBar(new SlimScrollBar);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  setWidget(page_);
  setWidgetResizable(true);
  show(std::nullopt);
}

void DetailPanel::show(std::optional<Detail> detail) {
  page_->detail = std::move(detail);
  page_->setMinimumHeight(layOut(page_->detail, nullptr, viewport()->width()));
  page_->update();
  ensureVisible(0, 0);
}

const std::optional<Detail>& DetailPanel::detail() const { return page_->detail; }

void DetailPanel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  page_->setMinimumHeight(layOut(page_->detail, nullptr, viewport()->width()));
}

}  // namespace jitscope::gui
