#include "analyzer/export/unfinished_target.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "analyzer/cli.h"
#include "analyzer/parquet/plugin.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A command that writes a target, and the words behind the run.
struct Writer {
  std::string name;
  int (*command)(std::span<const std::string>, std::ostream&, std::ostream&);
  std::vector<std::string> words;
  bool mayReplace = true;  ///< what stands there already
  /// What is told when the disk is full, behind the target's name; none: in words of the library's.
  std::string whyFull;
};

class Writers : public testing::TestWithParam<Writer> {
 protected:
  void SetUp() override {
    if (GetParam().name == "Parquet" && !ParquetPlugin::open())
      GTEST_SKIP() << ParquetPlugin::open().error().text;
    tests::writeTrace(trace_, R"(
process pid=10
thread  thread=1 name="a name that is longer than the disk"
op      at=1us..2us thread=1 name="aten::mm"
)");
  }

  int write() {
    std::vector<std::string> words{trace_.string()};
    words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
    words.insert(words.end(), {"-o", target_.string()});
    std::ostringstream output, errors;
    const int status = GetParam().command(words, output, errors);
    errors_ = errors.str();
    return status;
  }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      names.insert(entry.path().filename());
    return names;
  }

  tests::TemporaryFolder folder_;
  fs::path trace_ = folder_ / "run.jitscope", target_ = folder_ / "target";
  std::string errors_;
};

TEST_P(Writers, LeaveNothingOfAFailureSoThatTheNextTryWorks) {
  {
    const tests::FullDisk full;
    EXPECT_EQ(write(), 2);
  }
  EXPECT_NE(errors_, "");
  EXPECT_EQ(errors_.find(".unfinished"), std::string::npos) << errors_;
  EXPECT_NE(errors_.find(target_.string() + ": " + GetParam().whyFull), std::string::npos)
      << errors_;
  EXPECT_EQ(names(), std::set<std::string>{"run.jitscope"});
  EXPECT_EQ(write(), 0) << errors_;
  EXPECT_EQ(names(), (std::set<std::string>{"run.jitscope", "target"}));
}

TEST_P(Writers, AreNotHeldUpByWhatAnEndedTryLeft) {
  fs::create_directories(folder_ / "target.unfinished" / "deeper");
  EXPECT_EQ(write(), 0) << errors_;
  EXPECT_EQ(names(), (std::set<std::string>{"run.jitscope", "target"}));
}

TEST_P(Writers, KeepWhatStoodThereWhenTheyFail) {
  std::ofstream(target_) << "before";
  {
    const tests::FullDisk full;
    EXPECT_EQ(write(), 2);
  }
  EXPECT_EQ(contentOf(target_), "before");
  EXPECT_EQ(names(), (std::set<std::string>{"run.jitscope", "target"}));
}

TEST_P(Writers, FollowLinksAndKeepTheModeOfAFile) {
  if (!GetParam().mayReplace) GTEST_SKIP() << "takes new targets only";
  std::ofstream(folder_ / "real") << "before";
  fs::permissions(folder_ / "real", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", target_);
  EXPECT_EQ(write(), 0) << errors_;
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_NE(contentOf(folder_ / "real"), "before");
  EXPECT_EQ(fs::status(target_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_P(Writers, WriteToADeviceItself) {
  if (!GetParam().mayReplace) GTEST_SKIP() << "takes new targets only";
  target_ = "/dev/null";
  EXPECT_EQ(write(), 0) << errors_;
  EXPECT_TRUE(fs::is_character_file(target_));
}

TEST(UnfinishedTarget, StandsBesideAFolderThatWasNamedWithASlash) {
  const tests::TemporaryFolder folder;
  UnfinishedTarget target(folder / "run/");
  EXPECT_EQ(target.path(), folder / "run.unfinished");
  fs::create_directory(target.path());
  EXPECT_TRUE(target.finish());
  EXPECT_TRUE(fs::is_directory(folder / "run"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Writers,
    testing::Values(
        Writer{"Report", reportCommand, {}}, Writer{"Query", queryCommand, {"SELECT * FROM op"}},
        Writer{
            "Chrome", exportCommand, {"--to", "chrome"}, true, "cannot be written: File too large"},
        Writer{"Csv",
               exportCommand,
               {"--to", "csv"},
               false,
               "process.csv: cannot be written: File too large"},
        Writer{"Parquet", exportCommand, {"--to", "parquet"}, false},
        Writer{"Sqlite", exportCommand, {"--to", "sqlite"}, false}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace jitscope::analyzer
