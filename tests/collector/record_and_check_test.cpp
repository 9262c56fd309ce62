// `jitscope record --check`: the options of both commands stand in any order.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "collector/record.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::collector {
namespace {

using tests::ProgramRun;
using tests::runProgram;
using tests::TemporaryFolder;
using Words = std::vector<std::string>;

/// The options of `record` that take a value, as its help lists them.
Words optionsWithValue() {
  const std::string help = runProgram({JITSCOPE_PROGRAM, "record", "--help"}).output;
  const std::regex option("\n  (?:-[a-z], |    )(--[a-z-]+) [A-Z]");
  Words names;
  for (std::sregex_iterator each(help.begin(), help.end(), option), end; each != end; ++each) {
    names.push_back((*each)[1]);
  }
  return names;
}

/// A value of each of them, and behind it the options that it does not go without.
const std::map<std::string, Words> kExamples = {
    {"--output", {"named.jitscope"}},
    {"--graph-level", {"graph"}},
    {"--traffic", {"off"}},
    {"--delay", {"3"}},
    {"--duration", {"3"}},
    {"--steps", {"1..2"}},
    {"--toggle-signal", {"USR2"}},
    {"--nvtx-range", {"--check"}},
    {"--flight-recorder", {"9", "--trigger", "limit"}},
    {"--trigger", {"limit", "--flight-recorder", "9"}},
    {"--most-windows", {"3", "--trigger", "limit", "--flight-recorder=9"}},
    {"--flight-memory", {"16M", "--trigger=limit", "--flight-recorder", "9"}}};

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class RecordAndCheck : public testing::Test {
 protected:
  /// Runs `jitscope record` with these words in a folder of the test's own.
  ProgramRun recordWith(const Words& words) {
    return runProgram(joined({JITSCOPE_PROGRAM, "record"}, words), {.folder = folder.path()});
  }

  bool isThere(const std::string& name) const { return std::filesystem::exists(folder / name); }

  TemporaryFolder folder;
  const Words asked = {"--check", "--limit", "graph_breaks=0"};
  const Words program = {GUEST_PROGRAM, "print", "x", "exit", "7"};
};

TEST_F(RecordAndCheck, LeavesEveryOptionItsValue) {
  const Words names = optionsWithValue();
  EXPECT_GT(names.size(), 10u);
  for (const std::string& name : names) {
    const auto example = kExamples.find(name);
    ASSERT_NE(example, kExamples.end()) << name;
    const Words next = joined({name}, example->second);
    Words equals(next.begin() + 1, next.end());
    equals[0] = name + "=" + equals[0];
    for (const Words& words : {joined(asked, next), joined(equals, asked)}) {
      const ProgramRun run = recordWith(joined(words, program));
      EXPECT_EQ(run.status, 7) << name << ": " << run.errors;
      EXPECT_EQ(run.output, "x\n") << name << ": " << run.errors;
    }
  }
}

TEST_F(RecordAndCheck, KnowsTheOutputInEverySpelling) {
  for (const Words& spelling :
       {Words{"-o", "out.jitscope"}, Words{"-oout.jitscope"}, Words{"--output", "out.jitscope"},
        Words{"--output=out.jitscope"}}) {
    const ProgramRun run =
        recordWith(joined(joined(asked, spelling), {GUEST_PROGRAM, "rows", "10"}));
    EXPECT_EQ(run.status, 0) << spelling[0] << ": " << run.errors;
    EXPECT_TRUE(isThere("out.jitscope")) << spelling[0] << ": " << run.errors;
    EXPECT_FALSE(isThere("jitscope-check.jitscope")) << spelling[0];
    std::filesystem::remove(folder / "out.jitscope");
  }
}

TEST_F(RecordAndCheck, WritesTheSameFileEachTimeWhereNoneIsNamed) {
  EXPECT_EQ(recordWith(joined(asked, {"--", GUEST_PROGRAM, "rows", "10"})).status, 0);
  EXPECT_TRUE(isThere("jitscope-check.jitscope"));
}

TEST_F(RecordAndCheck, RefusesAsRecordDoesAndRunsNothing) {
  for (const Words& wrong :
       {Words{"-o"}, Words{"--steps"}, Words{"--output=", "echo", "ran"},
        Words{"--steps=", "echo", "ran"}, Words{"--step", "1..2", "echo", "ran"},
        Words{"--outputs=x", "echo", "ran"}, Words{"--start-paused=1", "echo", "ran"}}) {
    const ProgramRun run = recordWith(joined(asked, wrong));
    EXPECT_EQ(run.status, 2) << wrong[0];
    EXPECT_EQ(run.output, "") << wrong[0];
    EXPECT_EQ(run.errors, recordWith(wrong).errors) << wrong[0];
  }
}

TEST(RecordOption, TellsItsNameItsValueAndHowManyWordsTheyTake) {
  const auto optionAt = [](const Words& words) { return recordOptionAt(words); };
  EXPECT_EQ(optionAt({"-oFILE", "x"})->name, "--output");
  EXPECT_EQ(optionAt({"-oFILE", "x"})->value, "FILE");
  EXPECT_EQ(optionAt({"-oFILE", "x"})->wordCount, 1u);
  EXPECT_EQ(optionAt({"-o", "FILE", "x"})->wordCount, 2u);
  EXPECT_EQ(optionAt({"--steps", "1..2"})->value, "1..2");
  EXPECT_EQ(optionAt({"--steps"})->value, "");
  EXPECT_EQ(optionAt({"--steps"})->wordCount, 1u);
  EXPECT_EQ(optionAt({"--start-paused", "x"})->wordCount, 1u);
  EXPECT_FALSE(optionAt({"--stepsize=3"}));
  EXPECT_FALSE(optionAt({"--limit", "x=1"}));
  EXPECT_FALSE(optionAt({"--", "-o"}));
  EXPECT_FALSE(optionAt({"echo", "-o"}));
  EXPECT_FALSE(optionAt({}));
}

}  // namespace
}  // namespace jitscope::collector
