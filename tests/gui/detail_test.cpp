#include "gui/models/detail.h"

#include <gtest/gtest.h>

namespace jitscope::gui {
namespace {

TEST(DetailText, PrintsSectionsIndented) {
  const Detail detail{"aten::mul",
                      "operator",
                      Category::kEager,
                      {{{}, {{"time", "12 ns"}}, {}, {}, {}},
                       {"phases", {}, {{"capture", 1, "3 ns", Category::kHost}}, {}, {}},
                       {"cause", {}, {}, "a new size", {}},
                       {"code", {}, {}, {}, {"return x", "}"}}}};
  EXPECT_EQ(detailText(detail).toStdString(),
            "aten::mul\noperator\n  time: 12 ns\nphases\n  capture: 3 ns\ncause\n  a new size\n"
            "code\n  | return x\n  | }\n");
}

}  // namespace
}  // namespace jitscope::gui
