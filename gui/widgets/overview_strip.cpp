#include "gui/widgets/overview_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <limits>

#include "gui/widgets/palette.h"
#include "gui/widgets/timeline_layout.h"

namespace jitscope::gui {
namespace {

constexpr int kTop = 10;  ///< below it the recording, above it the marks
constexpr int kBottom = 34;
constexpr int kRightPx = 12;

/// The rows that say where time went: kernels where there are any, else outermost operators.
std::vector<const EventRow*> telling(const Timeline& timeline) {
  std::vector<const EventRow*> kernels, operators;
  for (const Lane& lane : timeline.lanes) {
    bool hadOperators = false;
    for (const EventRow& row : lane.rows) {
      if (row.kind() == RowKind::kKernel) kernels.push_back(&row);
      if (row.kind() != RowKind::kOperator || std::exchange(hadOperators, true)) continue;
      operators.push_back(&row);
    }
  }
  return kernels.empty() ? operators : kernels;
}

/// Adds what a row fills of each pixel, by category.
void addRow(const EventRow& row, const TimeAxis& axis, std::vector<Shares>& sum) {
  RowPicture picture;
  row.draw(axis, picture);
  for (const EventBox& box : picture.boxes) {
    const auto category = static_cast<size_t>(row.events().category[box.index]);
    const auto to = static_cast<size_t>(std::min<double>(axis.widthPx(), box.endPx));
    for (auto x = static_cast<size_t>(std::max(0.0, box.startPx)); x < to; ++x)
      sum[x][category] += 1;
  }
  for (size_t x = 0; x < sum.size(); ++x) {
    for (size_t c = 0; c < kCategoryCount; ++c) sum[x][c] += picture.columns[x][c];
  }
}

float totalOf(const Shares& shares) {
  float total = 0;
  for (const float share : shares) total += share;
  return total;
}

/// Stacks the categories of one pixel from the bottom; `top` fills the height.
void paintColumn(QImage& image, int x, const Shares& shares, float top) {
  int y = image.height();
  for (size_t c = 0; c < kCategoryCount && y > 0; ++c) {
    if (shares[c] <= 0) continue;
    // Anything at all is at least one pixel high.
    const auto wanted = static_cast<int>(shares[c] / top * static_cast<float>(image.height()));
    const QRgb value = mixed(colours().surface, colourOf(static_cast<Category>(c)), 0.75F);
    for (const int end = std::max(0, y - std::max(1, wanted)); y > end; --y) {
      image.setPixel(x, y - 1, value);
    }
  }
}

}  // namespace

OverviewStrip::OverviewStrip(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
  setFixedHeight(sizeHint().height());
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName("Overview of the recording");
  connect(selection_, &Selection::timelineChanged, this, [this] {
    recording_ = {};
    update();
  });
  connect(selection_, &Selection::axisChanged, this, qOverload<>(&QWidget::update));
  connect(selection_, &Selection::stepChanged, this, qOverload<>(&QWidget::update));
}

TimeAxis OverviewStrip::axis() const {
  const TimeRange extent =
      selection_->timeline() ? selection_->timeline()->extent : TimeRange{0, 1};
  return TimeAxis(extent, width() - TimelineLayout::kTitlePx - kRightPx);
}

void OverviewStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) recording_ = {};
}

void OverviewStrip::resizeEvent(QResizeEvent*) { recording_ = {}; }

QImage OverviewStrip::paintRecording() const {
  const TimeAxis whole = axis();
  const Timeline& timeline = *selection_->timeline();
  QImage image(whole.widthPx(), kBottom - kTop, QImage::Format_RGB32);
  image.fill(colours().surface);
  std::vector<Shares> work(static_cast<size_t>(whole.widthPx()), Shares{});
  std::vector<Shares> compiling = work;
  for (const EventRow* row : telling(timeline)) addRow(*row, whole, work);
  for (const Lane& lane : timeline.lanes) {
    for (const EventRow& row : lane.rows) {
      if (row.kind() == RowKind::kCompile) addRow(row, whole, compiling);
    }
  }
  float top = 1;
  for (const Shares& shares : work) top = std::max(top, totalOf(shares));
  const QRgb behind = mixed(colours().surface, colourOf(Category::kCompilePhase), 0.45F);
  for (int x = 0; x < image.width(); ++x) {
    // Compiling stands behind the work: it also runs the user's code.
    const bool isCompiling = totalOf(compiling[static_cast<size_t>(x)]) > 0;
    for (int y = 0; isCompiling && y < image.height(); ++y) image.setPixel(x, y, behind);
    paintColumn(image, x, work[static_cast<size_t>(x)], top);
  }
  return image;
}

void OverviewStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(colours().ground));
  if (!selection_->timeline()) return;
  const Timeline& timeline = *selection_->timeline();
  if (recording_.isNull()) recording_ = paintRecording();
  const int left = TimelineLayout::kTitlePx;
  painter.drawImage(left, kTop, recording_);
  painter.setFont(interfaceFont(12));
  painter.setPen(QColor(colours().text));
  painter.drawText(QRect(12, kTop, left - 16, kBottom - kTop), Qt::AlignVCenter, "recording");
  const TimeAxis whole = axis();
  int lastBreakPx = -1, lastPx = -1;
  for (const Mark& mark : timeline.marks) {
    const auto x = static_cast<int>(whole.toPixel(mark.time.startNs));
    int& last = mark.kind == MarkKind::kBreak ? lastBreakPx : lastPx;
    if (x == last) continue;
    last = x;
    const int height = mark.kind == MarkKind::kRecompile ? 8 : 4;
    painter.fillRect(QRect(left + x, kTop - height, 1, height), QColor(colourOf(mark.kind)));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Pane pane : kPanes) {
    if (!selection_->shows(pane)) continue;
    const TimeAxis shown = selection_->axis().shifted(selection_->originNs(pane));
    const double from = std::clamp<double>(whole.toPixel(shown.startNs()), 0, whole.widthPx());
    const double to = std::clamp<double>(whole.toPixel(shown.endNs()), 0, whole.widthPx());
    QColor fill(colourOf(pane));
    fill.setAlphaF(0.16F);
    painter.setBrush(fill);
    painter.setPen(QPen(QColor(colourOf(pane)).lighter(115), 1.5));
    painter.drawRoundedRect(
        QRectF(left + from - 2, kTop - 2, std::max(5.0, to - from + 4), kBottom - kTop + 4), 3, 3);
  }
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) { goTo(event->position().x()); }

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) goTo(event->position().x());
}

void OverviewStrip::goTo(double x) {
  if (!selection_->timeline()) return;
  const Timeline& timeline = *selection_->timeline();
  const int64_t timeNs = axis().toTime(x - TimelineLayout::kTitlePx);
  if (selection_->track() >= timeline.tracks.size()) {
    return selection_->setAxis(selection_->axis().panned(
        selection_->axis().toPixel(timeNs - selection_->originNs(Pane::kCompiled)) -
        selection_->axis().widthPx() / 2.0));
  }
  // The pane whose step is nearer to the click decides.
  const StepTrack& track = timeline.tracks[selection_->track()];
  size_t best = selection_->step();
  int64_t bestNs = std::numeric_limits<int64_t>::max();
  for (const Pane pane : kPanes) {
    const size_t step = stepAt(track, pane, timeNs);
    if (step >= track.steps.size() || !track.steps[step].in(pane)) continue;
    const TimeRange time = *track.steps[step].in(pane);
    const int64_t distanceNs = std::max({time.startNs - timeNs, timeNs - time.endNs, int64_t{0}});
    if (distanceNs < bestNs) best = step, bestNs = distanceNs;
  }
  selection_->setStep(selection_->track(), best);
}

}  // namespace jitscope::gui
