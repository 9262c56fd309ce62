// What CUPTI's own tables say of chips that are not here.
#include <gtest/gtest.h>

#include "collector/cupti/traffic_metrics.h"

namespace jitscope::collector {
namespace {

TEST(TrafficMetrics, AreCountedInOnePass) {
  const auto opened = openProfiler(CUPTI_LIBRARY);
  if (!opened) GTEST_SKIP() << opened.error().text;
  for (const char* chip : {"GH100", "GA100", "AD102", "GB100"}) {
    const auto config = CounterConfig::create(*opened, chip, nullptr, memoryTrafficMetrics());
    EXPECT_TRUE(config) << config.error().text;
  }
  const auto all = CounterConfig::create(*opened, "GH100", nullptr, allTrafficMetrics());
  ASSERT_TRUE(all) << all.error().text;
  EXPECT_EQ(all->traceNames().front(), "dram_read_bytes");
  const auto unknown = CounterConfig::create(*opened, "XX999", nullptr, memoryTrafficMetrics());
  EXPECT_FALSE(unknown);
}

}  // namespace
}  // namespace jitscope::collector
