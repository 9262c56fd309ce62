#include "gui/loading/page_job.h"

#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "gui/screenshot.h"

namespace jitscope::gui {
namespace {

class PageJobTest : public testing::Test {
 protected:
  std::vector<int> shown;
  QStringList failures;
  PageJob<int> job{[this](const int& result) { shown.push_back(result); },
                   [this](const QString& error) { failures << error; }};
};

TEST_F(PageJobTest, ShowsTheNewestResultAndStopsTheOneBefore) {
  const auto isStopped = std::make_shared<std::latch>(1);
  job.start([isStopped](const std::stop_token& stop) {
    const std::stop_callback tell(stop, [isStopped] { isStopped->count_down(); });
    isStopped->wait();
    return 1;
  });
  job.start([](const std::stop_token&) { return 2; });
  EXPECT_TRUE(job.isAwaited());
  settlePages();
  EXPECT_EQ(shown, (std::vector<int>{2}));
  EXPECT_FALSE(job.isAwaited());
}

TEST_F(PageJobTest, TellsWhatAWorkerThrows) {
  job.start([](const std::stop_token&) -> int { throw std::bad_alloc(); });
  settlePages();
  EXPECT_TRUE(shown.empty());
  ASSERT_EQ(failures.size(), 1);
  EXPECT_TRUE(failures[0].contains("bad_alloc")) << failures[0].toStdString();
  EXPECT_FALSE(job.isAwaited());
  job.start([](const std::stop_token&) { return 3; });
  settlePages();
  EXPECT_EQ(shown, (std::vector<int>{3}));
}

TEST_F(PageJobTest, ShowsNothingOfWhatWasDropped) {
  job.start([](const std::stop_token&) { return 1; });
  job.drop();
  EXPECT_FALSE(job.isAwaited());
  settlePages();
  EXPECT_TRUE(shown.empty());
  EXPECT_TRUE(failures.isEmpty());
  job.start([](const std::stop_token&) { return 2; });
  settlePages();
  EXPECT_EQ(shown, (std::vector<int>{2}));
}

TEST_F(PageJobTest, ShowsWhatIsStoppedAllTheSame) {
  job.start([](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    return 4;
  });
  job.stop();
  settlePages();
  EXPECT_EQ(shown, (std::vector<int>{4}));
}

}  // namespace
}  // namespace jitscope::gui
