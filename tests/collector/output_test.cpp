#include "collector/record/output.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/collector/run_program.h"
#include "trace/writer.h"

namespace jitscope::collector {
namespace {

using test::TemporaryFolder;

void putTrace(const std::filesystem::path& path) {
  auto writer = trace::FileWriter::create(path);
  ASSERT_TRUE(writer) << writer.error().text;
}

TEST(Output, BecomesTheOnlyFileInIt) {
  const TemporaryFolder folder;
  const auto output = Output::create(folder / "out.jitscope");
  ASSERT_TRUE(output) << output.error().text;
  putTrace(output->path() / "a-1.jitscope");
  output->settle();
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "out.jitscope"));
}

TEST(Output, StaysAFolderOfSeveralFiles) {
  const TemporaryFolder folder;
  const auto output = Output::create(folder / "out.jitscope");
  ASSERT_TRUE(output) << output.error().text;
  putTrace(output->path() / "a-1.jitscope");
  putTrace(output->path() / "b-2.jitscope");
  output->settle();
  EXPECT_EQ(output->files().size(), 2u);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "out.jitscope"));
}

TEST(Output, RefusesToReplaceAFolderWithAnythingElseInIt) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "mine");
  putTrace(folder / "mine/a-1.jitscope");
  std::ofstream(folder / "mine/notes.txt") << "x";
  const auto output = Output::create(folder / "mine");
  ASSERT_FALSE(output);
  EXPECT_TRUE(output.error().text.starts_with(folder / "mine: exists and is no recording"));
  EXPECT_TRUE(std::filesystem::exists(folder / "mine/a-1.jitscope"));
}

TEST(Output, ReplacesAnEarlierRecording) {
  const TemporaryFolder folder;
  putTrace(folder / "out.jitscope");
  const auto output = Output::create(folder / "out.jitscope");
  ASSERT_TRUE(output) << output.error().text;
  EXPECT_TRUE(output->files().empty());
}

}  // namespace
}  // namespace jitscope::collector
