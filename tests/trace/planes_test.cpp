#include "trace/format/planes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace jitscope::trace::format {
namespace {

/// Every number of planes has code of its own, and so has what is left of rows by eights.
TEST(Planes, JoinToWhatWasSplit) {
  std::mt19937_64 random(3);
  for (size_t planes = 0; planes <= 8; ++planes) {
    for (const size_t rows : {1u, 7u, 8u, 9u, 16u, 31u, 64u, 1000u}) {
      std::vector<uint64_t> values(rows);
      for (uint64_t& value : values) value = planes == 0 ? 0 : random() >> 8 * (8 - planes);
      std::vector<uint8_t> split(rows * planes);
      splitPlanes(values.data(), rows, planes, split.data());
      std::vector<const uint8_t*> sources;
      for (size_t k = 0; k < planes; ++k) sources.push_back(split.data() + k * rows);
      for (size_t k = 0; k < planes; ++k) {
        for (size_t i = 0; i < rows; ++i) {
          ASSERT_EQ(sources[k][i], static_cast<uint8_t>(values[i] >> 8 * k));
        }
      }
      std::vector<uint64_t> joined(rows, 1);
      joinPlanes(sources.data(), rows, planes, joined.data());
      ASSERT_EQ(joined, values) << planes << " planes, " << rows << " rows";
    }
  }
}

}  // namespace
}  // namespace jitscope::trace::format
