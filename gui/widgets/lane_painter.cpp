#include "gui/widgets/lane_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr double kLeastLabelPx = 34;  ///< narrower boxes get no label
constexpr size_t kMostLabels = 300;   ///< what two milliseconds allow
constexpr double kTickPx = 90;

/// A label that is drawn when all boxes are.
struct Label {
  QRectF box;
  NameId name{};
  QRgb background = 0;
};

/// "aten::mm" is "mm" where room is short: nearly all operators are of that namespace.
QString shortName(const QString& name) {
  static const QString kNamespace = "aten::";
  return name.startsWith(kNamespace) ? name.mid(kNamespace.size()) : name;
}

/// Nested operators stand back a little, so that the outermost ones carry the picture.
float strength(RowKind kind, size_t depth) {
  return kind != RowKind::kOperator || depth == 0 ? 1.0F : 0.62F;
}

class Canvas {
 public:
  explicit Canvas(const PaneScene& scene)
      : scene_(scene),
        image_(
            scene.axis.widthPx(),
            std::max(1, static_cast<int>(std::lround(scene.place.bodyHeight * scene.pixelRatio))),
            QImage::Format_RGB32) {
    image_.fill(colours().ground);
    // Once for the frame: each scanLine() would check whether the image is shared.
    bits_ = reinterpret_cast<QRgb*>(image_.bits());
    stride_ = static_cast<size_t>(image_.bytesPerLine()) / sizeof(QRgb);
    line_.resize(static_cast<size_t>(image_.width()));
  }

  /// At the ruler's ticks.
  void paintGrid() {
    const TimeAxis ruler = scene_.axis.shifted(-scene_.originNs);
    for (const Tick& tick : ticks(ruler, static_cast<int>(kTickPx * scene_.pixelRatio))) {
      const auto x = static_cast<int>(ruler.toPixel(tick.timeNs));
      if (x < 0 || x >= image_.width()) continue;
      for (int y = 0; y < image_.height(); ++y) at(x, y) = colours().grid;
    }
  }

  void paintRow(const RowPlace& place) {
    const int top = device(place.top - scene_.place.scroll);
    const int bottom = std::min(image_.height(), top + device(place.height));
    const int first = std::max(0, top);
    if (first >= bottom) return;
    const Lane& lane = scene_.timeline.lanes[place.lane];
    const EventRow& row = lane.rows[place.row];
    row.draw(scene_.axis, picture_);
    const size_t depth = depthOf(lane, place.row);
    std::memcpy(line_.data(), bits_ + static_cast<size_t>(first) * stride_,
                line_.size() * sizeof(QRgb));
    paintColumns(strength(row.kind(), depth));
    paintBoxes(row, place, strength(row.kind(), depth));
    for (int y = first; y < bottom; ++y) {
      std::memcpy(bits_ + static_cast<size_t>(y) * stride_, line_.data(),
                  line_.size() * sizeof(QRgb));
    }
    roundCorners(top, bottom);
  }

  void paintCounters(const LanePlace& place) {
    const Lane& lane = scene_.timeline.lanes[place.lane];
    const int top = device(place.top - scene_.place.scroll);
    const int height = device(place.height) - 1;
    if (lane.counterTop <= 0 || top + height < 0 || top >= image_.height()) return;
    std::vector<int> base(line_.size(), top + height);
    for (const LaneCounter& counter : lane.counters) {
      const auto columns = counter.row.columns(scene_.axis);
      for (size_t x = 0; x < columns.size(); ++x) {
        const int from = base[x];
        const int mean = pixels(columns[x].mean / lane.counterTop, height);
        const int peak = pixels(columns[x].peak / lane.counterTop, height);
        column(x, from - peak, from - mean, mixed(colours().ground, colourOf(counter.kind), 0.35F),
               top);
        column(x, from - mean, from, colourOf(counter.kind), top);
        base[x] = from - mean;
      }
    }
    for (int x = 0; x < image_.width(); ++x) {
      if (x / 4 % 2 == 0 && top >= 0) at(x, top) = colours().line;
      if (top + height < image_.height()) at(x, top + height) = colours().line;
    }
  }

  QImage finish() {
    QPainter painter(&image_);
    QFont font = fixedFont(static_cast<int>(std::lround(10 * scene_.pixelRatio)));
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double marginPx = 4 * scene_.pixelRatio;
    for (const Label& label : labels_) {
      const QRectF box = label.box.adjusted(marginPx, 0, -marginPx / 2, 0);
      const QString text = metrics.elidedText(shortName(scene_.timeline.nameOf(label.name)),
                                              Qt::ElideRight, box.width());
      if (text.size() < 3) continue;
      painter.setPen(QColor(textOn(label.background)));
      painter.drawText(QPointF(box.left(), box.center().y() + metrics.capHeight() / 2), text);
    }
    painter.end();
    image_.setDevicePixelRatio(scene_.pixelRatio);
    return std::move(image_);
  }

 private:
  int device(int pixels) const { return static_cast<int>(std::lround(pixels * scene_.pixelRatio)); }
  QRgb& at(int x, int y) {
    return bits_[static_cast<size_t>(y) * stride_ + static_cast<size_t>(x)];
  }

  static int pixels(double share, int height) {
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * height));
  }

  static size_t depthOf(const Lane& lane, size_t row) {
    size_t depth = 0;
    while (depth < row && lane.rows[row - depth - 1].kind() == lane.rows[row].kind()) ++depth;
    return depth;
  }

  void column(size_t x, int from, int to, QRgb value, int top) {
    for (int y = std::max({from, top, 0}); y < std::min(to, image_.height()); ++y) {
      at(static_cast<int>(x), y) = value;
    }
  }

  void paintColumns(float rowStrength) {
    for (size_t x = 0; x < line_.size(); ++x) {
      const Shares& shares = picture_.columns[x];
      float total = 0, red = 0, green = 0, blue = 0;
      for (size_t c = 0; c < kCategoryCount; ++c) {
        if (shares[c] == 0) continue;
        const QRgb value = colourOf(static_cast<Category>(c));
        total += shares[c];
        red += shares[c] * static_cast<float>(qRed(value));
        green += shares[c] * static_cast<float>(qGreen(value));
        blue += shares[c] * static_cast<float>(qBlue(value));
      }
      if (total <= 0) continue;
      const QRgb mean = qRgb(static_cast<int>(red / total), static_cast<int>(green / total),
                             static_cast<int>(blue / total));
      // Even a single nanosecond in a pixel stays visible.
      line_[x] = mixed(line_[x], mean, (0.25F + 0.75F * std::min(1.0F, total)) * rowStrength);
    }
  }

  void paintBoxes(const EventRow& row, const RowPlace& place, float rowStrength) {
    drawn_.clear();
    for (const EventBox& box : picture_.boxes) {
      const int from = static_cast<int>(std::clamp<double>(box.startPx, 0, image_.width()));
      if (from >= image_.width()) continue;
      // One pixel stays free, so that neighbours of one colour can be told apart.
      const int to = static_cast<int>(std::clamp<double>(box.endPx - 1, from + 1, image_.width()));
      const EventColumns& events = row.events();
      QRgb value = colourOf(events.category[box.index]);
      if (events.category[box.index] == Category::kLibrary && box.index % 2 != 0) {
        value = colours().libraryLight;
      }
      value = mixed(colours().ground, value, rowStrength);
      std::fill(line_.begin() + from, line_.begin() + to, value);
      drawn_.push_back({from, to});
      if (to - from < kLeastLabelPx * scene_.pixelRatio || labels_.size() >= kMostLabels) continue;
      if (place.height < 12) continue;
      const QRectF area(from, device(place.top - scene_.place.scroll), to - from,
                        device(place.height));
      labels_.push_back({area, events.name[box.index], value});
    }
  }

  /// Mixes the four corner pixels of each box with the ground: a radius of two pixels for nothing.
  void roundCorners(int top, int bottom) {
    for (const auto& [from, to] : drawn_) {
      if (to - from < 4) continue;
      for (const int y : {top, bottom - 1}) {
        if (y < 0 || y >= image_.height()) continue;
        for (const int x : {from, to - 1}) at(x, y) = mixed(colours().ground, at(x, y), 0.35F);
      }
    }
  }

  const PaneScene& scene_;
  QImage image_;
  QRgb* bits_ = nullptr;
  size_t stride_ = 0;
  std::vector<QRgb> line_;
  RowPicture picture_;
  std::vector<std::pair<int, int>> drawn_;
  std::vector<Label> labels_;
};

}  // namespace

QImage paintLanes(const PaneScene& scene) {
  Canvas canvas(scene);
  canvas.paintGrid();
  for (const LanePlace& lane : scene.place.lanes) {
    if (scene.timeline.lanes[lane.lane].kind == LaneKind::kCounter) canvas.paintCounters(lane);
  }
  for (const RowPlace& row : scene.place.rows) canvas.paintRow(row);
  return canvas.finish();
}

}  // namespace jitscope::gui
