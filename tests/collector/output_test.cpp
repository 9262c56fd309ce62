#include "collector/record/output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"
#include "trace/writer.h"

namespace jitscope::collector {
namespace {

using tests::TemporaryFolder;

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
  EXPECT_TRUE(
      output.error().text.starts_with((folder / "mine").string() + ": exists and is no recording"));
  EXPECT_TRUE(std::filesystem::exists(folder / "mine/a-1.jitscope"));
}

TEST(Output, RefusesToReplaceACollectionOfRecordings) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "mine");
  putTrace(folder / "mine/monday.jitscope");
  putTrace(folder / "mine/run-2.jitscope");
  const auto output = Output::create(folder / "mine");
  ASSERT_FALSE(output);
  EXPECT_TRUE(std::filesystem::exists(folder / "mine/monday.jitscope"));
}

TEST(Output, IsNotReplacedWhileItIsBeingMade) {
  const TemporaryFolder folder;
  const auto first = Output::create(folder / "out.jitscope");
  ASSERT_TRUE(first) << first.error().text;
  const auto second = Output::create(folder / "out.jitscope");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text,
            (folder / "out.jitscope").string() + ": is still being recorded: name another with -o");
}

TEST(Output, IsNotReplacedWhileAProcessThatItsLauncherLeftBehindWrites) {
  const TemporaryFolder folder;
  const std::string own = "daemon-" + std::to_string(getpid()) + ".jitscope";
  std::filesystem::create_directory(folder / "several");
  const auto alone = trace::FileWriter::create(folder / "alone.jitscope");
  ASSERT_TRUE(alone) << alone.error().text;
  const auto one = trace::FileWriter::create(folder / "several" / own);
  ASSERT_TRUE(one) << one.error().text;
  for (const char* name : {"alone.jitscope", "several"}) {
    const auto output = Output::create(folder / name);
    ASSERT_FALSE(output) << name;
    EXPECT_EQ(output.error().text,
              (folder / name).string() + ": is still being recorded: name another with -o");
  }
  (*alone)->close();
  (*one)->close();
  for (const char* name : {"alone.jitscope", "several"}) EXPECT_TRUE(Output::create(folder / name));
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
