#include "collector/inject/signal_frame.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>

namespace jitscope::collector {
namespace {

volatile std::sig_atomic_t wasInside = 0;

void look(int) { wasInside = isInsideSignalHandler() ? 1 : 0; }

TEST(SignalFrame, IsNoneAmongOrdinaryCallers) {
  EXPECT_FALSE(isInsideSignalHandler());
  std::function<bool(int)> below = [&](int depth) {
    return depth == 0 ? isInsideSignalHandler() : below(depth - 1);
  };
  EXPECT_FALSE(below(100));
}

TEST(SignalFrame, IsFoundBelowAHandlerAndGoneBehindIt) {
  std::signal(SIGUSR1, look);
  wasInside = 0;
  std::raise(SIGUSR1);
  EXPECT_EQ(wasInside, 1);
  EXPECT_FALSE(isInsideSignalHandler());
  std::signal(SIGUSR1, SIG_DFL);
}

}  // namespace
}  // namespace jitscope::collector
