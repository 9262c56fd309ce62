#include "gui/command_line.h"

#include <gtest/gtest.h>

namespace jitscope::gui {
namespace {

Options optionsOf(const std::vector<std::string>& arguments) {
  const auto parsed = parseCommandLine(arguments);
  const auto* options = std::get_if<Options>(&parsed);
  EXPECT_NE(options, nullptr);
  return options != nullptr ? *options : Options{};
}

std::string errorOf(const std::vector<std::string>& arguments) {
  const auto parsed = parseCommandLine(arguments);
  const auto* error = std::get_if<std::string>(&parsed);
  return error != nullptr ? *error : "no error";
}

TEST(CommandLine, TakesAPathAndOptionsInAnyOrder) {
  const Options options = optionsOf({"--size=1000x600", "run.jitscope", "--screenshot", "a.png"});
  EXPECT_EQ(options.path, "run.jitscope");
  EXPECT_EQ(options.screenshot, "a.png");
  EXPECT_EQ(options.size, QSize(1000, 600));
}

TEST(CommandLine, TakesASecondRecordingToCompareWith) {
  const Options options = optionsOf({"before", "--page", "diff", "after"});
  EXPECT_EQ(options.path, "before");
  EXPECT_EQ(options.otherPath, "after");
  EXPECT_EQ(optionsOf({"before"}).otherPath, "");
}

TEST(CommandLine, DefaultsTo1600By900) { EXPECT_EQ(optionsOf({"x"}).size, QSize(1600, 900)); }

TEST(CommandLine, TakesEverythingAfterTwoDashesAsAPath) {
  EXPECT_EQ(optionsOf({"--", "--odd"}).path, "--odd");
}

TEST(CommandLine, NamesTheNearestRightOption) {
  EXPECT_EQ(errorOf({"--screnshot", "a.png", "x"}),
            "unknown option --screnshot; did you mean --screenshot?");
  EXPECT_EQ(errorOf({"--xyzzy", "x"}), "unknown option --xyzzy; --help lists all");
}

TEST(CommandLine, TakesAPageAndNamesTheNearestRightOne) {
  EXPECT_EQ(optionsOf({"x"}).page, "timelines");
  EXPECT_EQ(optionsOf({"x", "--page", "timelines"}).page, "timelines");
  EXPECT_EQ(errorOf({"x", "--page", "timeline"}),
            "--page timeline: no such page; did you mean timelines?");
  EXPECT_TRUE(
      errorOf({"x", "--page=zzzzzzzz"}).starts_with("--page zzzzzzzz: no such page; give "));
  EXPECT_EQ(errorOf({"x", "--page"}), "--page needs a value");
}

TEST(CommandLine, TakesATheme) {
  EXPECT_EQ(optionsOf({"x"}).theme, std::nullopt);
  EXPECT_EQ(optionsOf({"x", "--theme", "light"}).theme, ThemeChoice::kLight);
  EXPECT_EQ(optionsOf({"x", "--theme=system"}).theme, ThemeChoice::kSystem);
  EXPECT_EQ(errorOf({"x", "--theme", "purple"}), "--theme purple: give dark, light or system");
}

TEST(CommandLine, TakesARangeSinceTheBegin) {
  EXPECT_EQ(optionsOf({"x"}).range, std::nullopt);
  EXPECT_EQ(optionsOf({"x", "--range", "1.2s..1.5s"}).range,
            (TimeRange{1'200'000'000, 1'500'000'000}));
  EXPECT_EQ(optionsOf({"x", "--range=0ms..250us"}).range, (TimeRange{0, 250'000}));
  EXPECT_EQ(optionsOf({"x", "--range=1..2m"}).range, (TimeRange{1'000'000'000, 120'000'000'000}));
  for (const char* range : {"1s", "1s..", "..1s", "2s..1s", "1s..1s", "a..b", "1s...2s", "-1s..1s",
                            "1s..2s..3s", "1s..9999999999s"}) {
    EXPECT_EQ(
        errorOf({"x", "--range", range}),
        "--range " + std::string(range) + ": give BEGIN..END, such as 1.2s..1.5s or 0ms..40ms");
  }
  EXPECT_EQ(errorOf({"x", "--rnage", "1s..2s"}), "unknown option --rnage; did you mean --range?");
}

TEST(CommandLine, RefusesWhatCannotBeMeant) {
  EXPECT_EQ(errorOf({}), "no PATH given; --help shows the usage");
  EXPECT_EQ(errorOf({"a", "b", "c"}), "more than two PATHs: c");
  EXPECT_EQ(errorOf({"x", "--screenshot"}), "--screenshot needs a value");
  for (const char* size : {"1600", "x900", "1600x", "1600x900x2", "10x10", "99999x99999", "axb"}) {
    EXPECT_NE(errorOf({"x", "--size", size}).find("give WIDTHxHEIGHT"), std::string::npos) << size;
  }
}

TEST(CommandLine, AnswersHelpAndVersionWithoutAPath) {
  EXPECT_TRUE(optionsOf({"--help"}).wantsHelp);
  EXPECT_TRUE(optionsOf({"--version"}).wantsVersion);
}

TEST(CommandLine, NamesEachFormatThatIsTaken) {
  const std::string_view help = helpText();
  for (const char* format : {".jitscope", "torch.profiler", "TORCH_TRACE", "TORCH_LOGS",
                             "Nsight Systems", "SQLite", "folder"}) {
    EXPECT_NE(help.find(format), std::string_view::npos) << format;
  }
}

}  // namespace
}  // namespace jitscope::gui
