#include "trace/read/cell_array.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jitscope::trace::read {
namespace {

/// Small arrays come from the heap, large ones from a map whose pages come with the parts.
TEST(CellArray, HoldsWhatIsPutIntoItPartByPart) {
  for (const size_t count : {0u, 1u, 1000u, 131'072u, 200'003u, 1'048'576u, 1'500'007u}) {
    const CellArray array(count);
    ASSERT_EQ(array.cells().size(), count);
    for (size_t first = 0; first < count; first += 32'768) {
      const auto part = array.prepared(first, std::min<size_t>(32'768, count - first));
      for (size_t i = 0; i < part.size(); ++i) part[i] = static_cast<int64_t>(first + i);
    }
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(array.cells()[i], static_cast<int64_t>(i));
  }
}

TEST(ConstantCells, AreOfTheValueAndLengthAskedFor) {
  ConstantCells constants;
  const auto few = constants.of(7, 10), many = constants.of(7, 1'200'000),
             others = constants.of(-1, 3);
  EXPECT_EQ(few.size(), 10u);
  EXPECT_EQ(many.size(), 1'200'000u);
  EXPECT_TRUE(std::all_of(few.begin(), few.end(), [](int64_t cell) { return cell == 7; }));
  EXPECT_TRUE(std::all_of(many.begin(), many.end(), [](int64_t cell) { return cell == 7; }));
  EXPECT_TRUE(std::all_of(others.begin(), others.end(), [](int64_t cell) { return cell == -1; }));
}

}  // namespace
}  // namespace jitscope::trace::read
