#include "analyzer/command/interruption.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "analyzer/export/unfinished_target.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

namespace fs = std::filesystem;

/// Begins a file and gets a signal in the midst of it.
void beginAndBeStopped(const fs::path& target, int signal) {
  const Interruption interruption;
  const UnfinishedTarget unfinished(target);
  std::ofstream(unfinished.path()) << "half";
  raise(signal);
  while (true) pause();
}

TEST(Interruption, LeavesNothingHalfWritten) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "report") << "before";
  EXPECT_EXIT(beginAndBeStopped(folder / "report", SIGINT), testing::ExitedWithCode(130),
              "interrupted");
  EXPECT_EXIT(beginAndBeStopped(folder / "report", SIGTERM), testing::ExitedWithCode(143),
              "interrupted");
  std::string content;
  std::ifstream(folder / "report") >> content;
  EXPECT_EQ(content, "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Interruption, OfNobodyLeavesSignalsAsTheyWere) {
  struct sigaction before {
  }, during{}, after{};
  sigaction(SIGINT, nullptr, &before);
  {
    const Interruption interruption;
    sigaction(SIGINT, nullptr, &during);
  }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_NE(during.sa_handler, before.sa_handler);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST(Interruption, StaysIgnoredWhereItWas) {
  const auto before = std::signal(SIGINT, SIG_IGN);
  {
    const Interruption interruption;
    raise(SIGINT);
  }
  std::signal(SIGINT, before);
}

}  // namespace
}  // namespace jitscope::analyzer
