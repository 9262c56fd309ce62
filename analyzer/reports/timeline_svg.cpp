#include "analyzer/reports/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/reports/xml_escape.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

constexpr double kLabelWidth = 150, kPlotWidth = 1000, kRowHeight = 18, kAxisHeight = 20;
constexpr int kTicks = 5;

/// Places times on the picture.
class Scale {
 public:
  Scale(int64_t startNs, int64_t endNs)
      : startNs_(startNs), spanNs_(std::max<int64_t>(1, endNs - startNs)) {}

  double x(int64_t timeNs) const {
    const auto share = static_cast<double>(timeNs - startNs_) / static_cast<double>(spanNs_);
    return kLabelWidth + kPlotWidth * std::clamp(share, 0.0, 1.0);
  }

  int64_t tickNs(int tick) const { return startNs_ + spanNs_ / kTicks * tick; }

  std::string tickText(int tick) const { return durationText(tickNs(tick) - startNs_); }

 private:
  int64_t startNs_, spanNs_;
};

std::string axis(const Scale& scale, double height) {
  std::string svg;
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double x = scale.x(scale.tickNs(tick));
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text class=\"tick\" x=\"{0:.1f}\" y=\"13\">{3}</text>\n",
        x, kAxisHeight, height, xmlEscaped(scale.tickText(tick)));
  }
  return svg;
}

/// The bars of a row. Of those that share a pixel, the first one stands for all.
std::string bars(const SvgRow& row, const Scale& scale, double y) {
  std::string svg;
  double drawnTo = -1;
  for (const SvgSpan& span : row.spans) {
    const double x = scale.x(span.startNs);
    const double width = std::max(1.0, scale.x(span.endNs) - x);
    const bool isNarrow = width <= 1;
    if (isNarrow && x < drawnTo) continue;
    drawnTo = x + width;
    svg += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\">"
        "<title>{}</title></rect>\n",
        span.kind, x, y + 2, width, kRowHeight - 4, xmlEscaped(span.title));
  }
  return svg;
}

}  // namespace

std::string timelineSvg(const std::vector<SvgRow>& rows, int64_t startNs, int64_t endNs) {
  const Scale scale(startNs, endNs);
  const double height = kAxisHeight + kRowHeight * static_cast<double>(rows.size());
  std::string svg = fmt::format("<svg class=\"timeline\" role=\"img\" viewBox=\"0 0 {} {}\">\n",
                                kLabelWidth + kPlotWidth + 40, height + 4);
  svg += axis(scale, height);
  for (size_t i = 0; i < rows.size(); ++i) {
    const double y = kAxisHeight + kRowHeight * static_cast<double>(i);
    svg += fmt::format("<text class=\"label\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kLabelWidth - 8,
                       y + kRowHeight - 5, xmlEscaped(rows[i].label));
    svg += bars(rows[i], scale, y);
  }
  return svg + "</svg>\n";
}

}  // namespace jitscope::analyzer
