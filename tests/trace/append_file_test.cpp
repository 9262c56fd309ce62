#include "trace/write/append_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <thread>

#include "tests/support/temporary_folder.h"
#include "tests/trace/trace_bytes.h"

namespace jitscope::trace::write {
namespace {

constexpr std::array<uint8_t, 4> kBeginning{'h', 'e', 'a', 'd'};

class AppendedFile : public ::testing::Test {
 protected:
  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "file";
};

TEST_F(AppendedFile, IsNeverSeenWithoutItsBeginning) {
  std::atomic<bool> isEnding{false};
  int64_t seen = 0;
  int64_t seenShort = 0;
  std::thread watcher([&] {
    while (!isEnding) {
      struct stat status {};
      if (stat(path_.c_str(), &status) != 0) continue;
      ++seen;
      seenShort += status.st_size < static_cast<off_t>(kBeginning.size());
    }
  });
  for (int i = 0; i < 2'000; ++i) {
    AppendFile file;
    ASSERT_TRUE(file.create(path_, kBeginning));
  }
  isEnding = true;
  watcher.join();
  EXPECT_EQ(seenShort, 0) << "of " << seen;
}

TEST_F(AppendedFile, LeavesTheOneThatStoodThereToItsReader) {
  ASSERT_TRUE(AppendFile().create(path_, kBeginning));
  std::ifstream reader(path_);
  AppendFile file;
  ASSERT_TRUE(file.create(path_, std::span(kBeginning).first(2)));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "head");
  EXPECT_EQ(readBytes(path_), "he");
}

TEST_F(AppendedFile, EmptiesWhatALinkLeadsTo) {
  const std::filesystem::path target = folder_.path() / "target";
  ASSERT_TRUE(AppendFile().create(target, kBeginning));
  std::filesystem::create_symlink(target, path_);
  AppendFile file;
  ASSERT_TRUE(file.create(path_, std::span(kBeginning).first(2)));
  EXPECT_EQ(file.append(kBeginning, {}), kBeginning.size());
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(readBytes(target), "hehead");
}

}  // namespace
}  // namespace jitscope::trace::write
