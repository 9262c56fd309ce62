#include "analyzer/import/unpacked_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "analyzer/command/interruption.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t filesIn(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// Unpacks into `folder` and gets a signal while the file has a name.
void unpackAndBeStopped(const fs::path& folder, int signal) {
  setenv("TMPDIR", folder.c_str(), 1);
  const Interruption interruption;
  InputBytes bytes = InputBytes::of("content");
  const trace::Result<UnpackedFile> file = UnpackedFile::of(bytes);
  if (!file || filesIn(folder) != 1) std::abort();
  raise(signal);
  while (true) pause();
}

TEST(UnpackedFile, IsGoneWithTheProcessThatASignalEnds) {
  const tests::TemporaryFolder folder;
  EXPECT_EXIT(unpackAndBeStopped(folder.path(), SIGINT), testing::ExitedWithCode(130),
              "interrupted");
  EXPECT_EXIT(unpackAndBeStopped(folder.path(), SIGTERM), testing::ExitedWithCode(143),
              "interrupted");
  EXPECT_EQ(filesIn(folder.path()), 0);
}

TEST(UnpackedFile, HoldsTheBytesUntilItsNameIsTakenAway) {
  InputBytes bytes = InputBytes::of("content");
  trace::Result<UnpackedFile> file = UnpackedFile::of(bytes);
  ASSERT_TRUE(file);
  std::ifstream stream(file->path());
  file->removeName();
  EXPECT_FALSE(fs::exists(file->path()));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "content");
}

}  // namespace
}  // namespace jitscope::analyzer
