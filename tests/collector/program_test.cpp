#include "collector/record/program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/temporary_folder.h"

namespace jitscope::collector {
namespace {

using tests::TemporaryFolder;

std::string script(const TemporaryFolder& folder, const std::string& name,
                   const std::string& text) {
  const std::string path = folder / name;
  std::ofstream(path) << text;
  chmod(path.c_str(), 0755);
  return path;
}

TEST(Program, IsFoundInTheFoldersOfPath) {
  EXPECT_TRUE(findProgram("sh").ends_with("/sh"));
  EXPECT_EQ(findProgram("/bin/sh"), "/bin/sh");
  EXPECT_EQ(findProgram("no-such-program-anywhere"), "");
  EXPECT_EQ(findProgram("/"), "");
}

TEST(Program, CanBePreloadedIntoWhenItIsDynamic) {
  EXPECT_FALSE(whyNotPreloadable(findProgram("sh")));
  EXPECT_FALSE(whyNotPreloadable(GUEST_PROGRAM));
}

TEST(Program, CannotBePreloadedIntoWhenItIsStatic) {
  EXPECT_EQ(whyNotPreloadable(STATIC_PROGRAM), "is linked statically");
}

TEST(Program, IsJudgedByTheInterpreterOfAScript) {
  const TemporaryFolder folder;
  EXPECT_FALSE(whyNotPreloadable(script(folder, "plain", "#!/bin/sh -e\n")));
  EXPECT_FALSE(whyNotPreloadable(script(folder, "env", "#!/usr/bin/env -S A=1 sh\n")));
  const std::string byStatic = script(folder, "static", std::string("#! ") + STATIC_PROGRAM + "\n");
  EXPECT_EQ(whyNotPreloadable(byStatic), "is linked statically");
  EXPECT_EQ(whyNotPreloadable(script(folder, "twice", "#!" + byStatic + " x\n")),
            "is linked statically");
}

TEST(Program, WithMoreRightsThanItsCallerIsNotPreloadedInto) {
  if (getuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  const TemporaryFolder folder;
  const std::string path = folder / "other";
  std::ofstream(path, std::ios::binary)
      << std::ifstream(findProgram("true"), std::ios::binary).rdbuf();
  ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  chmod(path.c_str(), 04755);
  EXPECT_EQ(whyNotPreloadable(path), "runs with more rights than its caller");
}

TEST(Program, OfAnotherWordSizeIsNotPreloadedInto) {
  const TemporaryFolder folder;
  EXPECT_EQ(whyNotPreloadable(script(folder, "elf32",
                                     std::string("\x7f"
                                                 "ELF\x01",
                                                 5) +
                                         std::string(60, '\0'))),
            "is a 32-bit program");
}

TEST(Program, ThatIsCutShortIsLeftToTheKernelToJudge) {
  const TemporaryFolder folder;
  std::string header(
      "\x7f"
      "ELF\x02",
      5);
  header.resize(64, '\0');
  header[32] = 64;  // the segments' table would follow, but the file ends here
  header[56] = 1;
  EXPECT_FALSE(whyNotPreloadable(script(folder, "short", header)));
}

}  // namespace
}  // namespace jitscope::collector
