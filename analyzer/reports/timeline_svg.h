#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// Something that took time, as a bar.
struct SvgSpan {
  int64_t startNs = 0, endNs = 0;
  std::string_view kind;  ///< its CSS class: "hit", "compiling", "eager", "op", "kernel", "break"
  std::string title;      ///< shown when a person points at it
};

/// Bars beside each other, by start; a later one is drawn over an earlier one.
struct SvgRow {
  std::string label;
  std::vector<SvgSpan> spans;
};

/// A picture of rows under one axis from `startNs` to `endNs`, as an SVG element that may stand in
/// HTML. Bars narrower than a pixel are drawn once a pixel, so its size is bounded by the rows. All
/// texts are escaped.
std::string timelineSvg(const std::vector<SvgRow>& rows, int64_t startNs, int64_t endNs);

}  // namespace jitscope::analyzer
