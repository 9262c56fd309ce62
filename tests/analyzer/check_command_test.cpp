#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/cli.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/full_disk.h"
#include "tests/support/one_line.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

/// A run without anything to mend, and the same after a change that adds a break and a recompile.
constexpr std::string_view kCleanRows = R"rows(
frame   frame=0 name="step" file="/src/service/decode.cpp" line=20
call    frame=0 attempt=0 at=2ms..6ms thread=1 outcome=compiled
compile frame=0 attempt=0 at=2ms..5ms thread=1 trigger="first call" capture_ns=900us graph_count=1
call    frame=0 attempt=0 at=7ms..8ms thread=1 outcome=hit
)rows";

constexpr std::string_view kAddedRows = R"rows(
graph_break frame=0 attempt=0 after=0 at=3000us..3100us thread=1 is_first=1 reason="Unsupported Tensor.item() call with capture_scalar_outputs=False" op="aten::_local_scalar_dense" stack="/src/service/decode.cpp:24 step"
guard_failure frame=0 attempt=0 time_ns=9ms thread=1 caused=1 kind="TENSOR_MATCH" source="L['x']" expected="4" actual="8" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 8" cause="size" stack="/src/service/main.cpp:62 main"
compile frame=0 attempt=1 at=9ms..12ms thread=1 capture_ns=500us is_dynamic=1 stack="/src/service/main.cpp:62 main"
call    frame=0 attempt=1 at=9ms..13ms thread=1 outcome=compiled
)rows";

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class CheckCommand : public testing::Test {
 protected:
  void SetUp() override {
    tests::writeTrace(before_, kCleanRows);
    tests::writeTrace(after_, std::string(kCleanRows) + std::string(kAddedRows));
  }

  int check(const std::vector<std::string>& arguments) {
    std::ostringstream output, errors;
    const int status = checkCommand(arguments, output, errors);
    output_ = output.str();
    errors_ = errors.str();
    return status;
  }

  std::string in(const std::string& name) const { return (folder_ / name).string(); }

  tests::TemporaryFolder folder_;
  std::filesystem::path before_ = folder_ / "before.jitscope", after_ = folder_ / "after.jitscope";
  std::string output_, errors_;
};

TEST_F(CheckCommand, StopsAChangeThatAddsABreakAndARecompileAndLetsTheMendedOnePass) {
  ASSERT_EQ(check({before_.string(), "--baseline", in("base.json"), "--update-baseline"}), 0)
      << errors_;
  EXPECT_EQ(check({after_.string(), "--baseline", in("base.json"), "--source-root", "/src/service",
                   "--junit", in("junit.xml"), "--sarif", in("run.sarif"), "--markdown",
                   in("comment.md"), "--github"}),
            1)
      << errors_;
  EXPECT_NE(output_.find("::error file=decode.cpp,line=24,"), std::string::npos) << output_;
  EXPECT_NE(output_.find("::error file=main.cpp,line=62,"), std::string::npos) << output_;
  const std::string junit = contentOf(in("junit.xml"));
  EXPECT_NE(junit.find("/src/service/decode.cpp:24"), std::string::npos) << junit;
  EXPECT_NE(junit.find("failures=\"2\""), std::string::npos) << junit;
  const nlohmann::json sarif = nlohmann::json::parse(contentOf(in("run.sarif")));
  const nlohmann::json& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2U);
  for (const nlohmann::json& result : results) {
    EXPECT_EQ(result["level"], "error");
    EXPECT_EQ(result["baselineState"], "new");
    const nlohmann::json& place = result["locations"][0]["physicalLocation"];
    const std::string uri = place["artifactLocation"]["uri"];
    EXPECT_TRUE(uri == "decode.cpp" || uri == "main.cpp") << uri;
    EXPECT_EQ(place["region"]["startLine"], uri == "decode.cpp" ? 24 : 62);
  }
  EXPECT_NE(contentOf(in("comment.md")).find("2 things are over the limit"), std::string::npos);
  EXPECT_EQ(check({before_.string(), "--baseline", in("base.json")}), 0) << output_;
  EXPECT_NE(output_.find("within its limits"), std::string::npos);
}

TEST_F(CheckCommand, TakesARecordingAsBaseline) {
  EXPECT_EQ(check({after_.string(), "--baseline", before_.string()}), 1);
  EXPECT_EQ(check({before_.string(), "--baseline", after_.string()}), 0);
  EXPECT_NE(output_.find("Gone since the baseline"), std::string::npos) << output_;
}

TEST_F(CheckCommand, CutsTheSamePartOutOfARecordingThatIsTheBaseline) {
  // The break is in the part that --since cuts away: to the baseline it is not known either.
  EXPECT_EQ(check({after_.string(), "--baseline", after_.string(), "--limit", "recompiles=baseline",
                   "--since", "4ms"}),
            0)
      << output_;
  EXPECT_EQ(output_.find("Gone since the baseline"), std::string::npos) << output_;
  EXPECT_NE(output_.find("recompiles"), std::string::npos) << output_;
}

TEST_F(CheckCommand, TakesNoDamagedRecordingAsBaseline) {
  std::filesystem::resize_file(before_, std::filesystem::file_size(before_) * 3 / 4);
  EXPECT_EQ(check({after_.string(), "--baseline", before_.string()}), 3);
  EXPECT_NE(errors_.find("before.jitscope"), std::string::npos) << errors_;
  EXPECT_EQ(output_, "");
}

TEST_F(CheckCommand, TakesATraceOfAProfilerAsBaseline) {
  std::ofstream(in("trace.json"))
      << R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1,
"ts": 1, "dur": 2}]})";
  EXPECT_EQ(check({after_.string(), "--baseline", in("trace.json")}), 1) << errors_;
  EXPECT_EQ(check({in("trace.json"), "--baseline", in("trace.json")}), 0) << errors_;
}

TEST_F(CheckCommand, KnowsABaselineWhereverItsVersionStands) {
  EXPECT_EQ(check({before_.string(), "--baseline", in("base.json"), "--update-baseline"}), 0);
  nlohmann::ordered_json first = nlohmann::ordered_json::parse(contentOf(in("base.json")));
  nlohmann::ordered_json last;
  last["note"] = {{"why", std::string(10'000, 'x')}, {"jitscope_baseline", "of nobody"}};
  last["findings"] = first["findings"];
  last["measures"] = first["measures"];
  last["jitscope_baseline"] = first["jitscope_baseline"];
  std::ofstream(in("sorted.json")) << last;
  EXPECT_EQ(check({before_.string(), "--baseline", in("sorted.json")}), 0) << errors_;
  EXPECT_EQ(check({after_.string(), "--baseline", in("sorted.json")}), 1) << errors_;
}

TEST_F(CheckCommand, BearsABaselineThatIsNestedDeeply) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const auto expectRefusal = [&](const std::string& content, const std::string& why) {
    std::ofstream(in("deep.json")) << content;
    EXPECT_EQ(check({before_.string(), "--baseline", in("deep.json")}), 3);
    EXPECT_NE(errors_.find("deep.json: " + why), std::string::npos) << errors_;
  };
  const std::string head = R"({"jitscope_baseline": )";
  expectRefusal(head + deep + "}", "baseline of another version: array, this");
  expectRefusal(head + '"' + std::string(1'000'000, 'x') + "\"}",
                "baseline of another version: string, this");
  expectRefusal(head + R"(1, "measures": {"recompiles": )" + deep + "}}",
                "not a number: measures.recompiles");
  expectRefusal(head + R"(1, "findings": [)" + deep + "]}", "a finding without an id");
  std::ofstream(in("deep.json")) << head + R"(1, "measures": {"recompiles": 9}, "note": )" + deep +
                                        R"(, "findings": [{"id": "a", "title": )" + deep + "}]}";
  EXPECT_EQ(
      check({before_.string(), "--baseline", in("deep.json"), "--limit", "recompiles=baseline"}), 0)
      << errors_;
}

TEST_F(CheckCommand, TakesNoBaselineForARecordingThatIsCutShort) {
  EXPECT_EQ(check({before_.string(), "--baseline", in("base.json"), "--update-baseline"}), 0);
  std::filesystem::resize_file(in("base.json"), std::filesystem::file_size(in("base.json")) / 2);
  EXPECT_EQ(check({after_.string(), "--baseline", in("base.json")}), 3);
  EXPECT_NE(errors_.find("base.json: is a baseline that is no whole JSON"), std::string::npos)
      << errors_;
}

TEST_F(CheckCommand, KeepsALinkThatIsTheBaseline) {
  std::ofstream(in("real.json")) << "old";
  std::filesystem::create_symlink("real.json", in("link.json"));
  EXPECT_EQ(check({before_.string(), "--baseline", in("link.json"), "--update-baseline"}), 0);
  EXPECT_TRUE(std::filesystem::is_symlink(in("link.json")));
  EXPECT_NE(contentOf(in("real.json")), "old");
}

TEST_F(CheckCommand, LetsTheCommandLineOverrideTheConfiguration) {
  std::ofstream(in("limits.toml")) << "[limits]\ngraph_breaks = 0\n";
  EXPECT_EQ(check({after_.string(), "--config", in("limits.toml")}), 1);
  EXPECT_EQ(check({after_.string(), "--config", in("limits.toml"), "--limit", "graph_breaks=1"}), 0)
      << output_;
}

TEST_F(CheckCommand, LeavesNoBaselineOfADamagedRun) {
  std::filesystem::resize_file(before_, std::filesystem::file_size(before_) / 2);
  EXPECT_EQ(check({before_.string(), "--baseline", in("base.json"), "--update-baseline"}), 3);
  EXPECT_FALSE(std::filesystem::exists(in("base.json")));
}

TEST_F(CheckCommand, KeepsTheOldBaselineWhenTheNewOneCannotBeWritten) {
  std::ofstream(in("base.json")) << "old";
  {
    const tests::FullDisk full;
    EXPECT_EQ(check({before_.string(), "--baseline", in("base.json"), "--update-baseline"}), 2);
  }
  EXPECT_EQ(contentOf(in("base.json")), "old");
  EXPECT_FALSE(std::filesystem::exists(in("base.json.unfinished")));
  EXPECT_NE(errors_.find("cannot write the baseline"), std::string::npos) << errors_;
}

struct CheckMistake {
  std::vector<std::string> arguments;  ///< "RUN" stands for a good recording
  int status;
  std::string words;
};

TEST_F(CheckCommand, PreflightTakesWhatCheckTakesWithoutTheRun) {
  std::ostringstream errors;
  const std::vector<std::string> later{"--limit", "recompiles=1", "--", in("later.jitscope")};
  EXPECT_EQ(checkPreflight(later, errors), 0);
  EXPECT_EQ(errors.str(), "");
}

class CheckMistakes : public CheckCommand, public testing::WithParamInterface<CheckMistake> {};

TEST_P(CheckMistakes, AreToldInOneLine) {
  std::ofstream(in("foreign.json")) << "{\"jitscope_baseline\": 99}";
  std::ofstream(in("broken.toml")) << "[limits";
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& each : arguments) {
    if (each == "RUN") each = after_.string();
    if (each.starts_with("IN/")) each = in(each.substr(3));
  }
  EXPECT_EQ(check(arguments), GetParam().status);
  EXPECT_EQ(output_, "");
  EXPECT_TRUE(tests::isOneLine(errors_)) << errors_;
  EXPECT_NE(errors_.find(GetParam().words), std::string::npos) << errors_;
}

struct PreflightMistake {
  std::vector<std::string> arguments;
  int status;
  std::string words;
};

class PreflightMistakes : public CheckCommand,
                          public testing::WithParamInterface<PreflightMistake> {};

TEST_P(PreflightMistakes, AreToldBeforeThereIsARun) {
  std::ofstream(in("broken.toml")) << "[limits";
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& each : arguments) {
    if (each.starts_with("IN/")) each = in(each.substr(3));
  }
  arguments.insert(arguments.end(), {"--", in("later.jitscope")});
  std::ostringstream errors;
  EXPECT_EQ(checkPreflight(arguments, errors), GetParam().status);
  EXPECT_TRUE(tests::isOneLine(errors.str())) << errors.str();
  EXPECT_NE(errors.str().find(GetParam().words), std::string::npos) << errors.str();
}

INSTANTIATE_TEST_SUITE_P(
    All, PreflightMistakes,
    testing::Values(PreflightMistake{{}, 2, "nothing to check against"},
                    PreflightMistake{{"--limit", "nope=1"}, 2, "nope"},
                    PreflightMistake{{"--limit", "recompiles"}, 2, "NAME=VALUE"},
                    PreflightMistake{{"--limit", "recompiles=baseline"}, 2, "name it with"},
                    PreflightMistake{{"--update-baseline"}, 2, "needs --baseline"},
                    PreflightMistake{{"--config", "IN/absent.toml"}, 2, "absent.toml"},
                    PreflightMistake{{"--config", "IN/broken.toml"}, 2, "broken.toml: "},
                    PreflightMistake{{"--baseline", "IN/absent.json"}, 3, "absent.json: "}));

INSTANTIATE_TEST_SUITE_P(
    All, CheckMistakes,
    testing::Values(
        CheckMistake{{}, 2, "no PATH"}, CheckMistake{{"RUN", "b"}, 2, "'b'"},
        CheckMistake{{"RUN"}, 2, "nothing to check against"},
        CheckMistake{{"RUN", "--limt", "a=1"}, 2, "did you mean '--limit'?"},
        CheckMistake{{"RUN", "--limit", "recompile=1"}, 2, "did you mean 'recompiles'?"},
        CheckMistake{{"RUN", "--limit", "recompiles"}, 2, "NAME=VALUE"},
        CheckMistake{{"RUN", "--limit", "recompiles=x"}, 2, "recompiles is not a limit"},
        CheckMistake{{"RUN", "--limit", "recompiles=baseline"}, 2, "name it with --baseline"},
        CheckMistake{{"RUN", "--update-baseline"}, 2, "needs --baseline"},
        CheckMistake{{"RUN", "--github=yes", "--limit", "recompiles=9"}, 2, "takes no value"},
        CheckMistake{{"RUN", "--limit", "recompiles=9", "--sarif", "RUN"}, 2, "recording itself"},
        CheckMistake{{"RUN", "--baseline", "RUN", "--update-baseline"}, 2, "recording itself"},
        CheckMistake{{"RUN", "--junit"}, 2, "--junit needs a value"},
        CheckMistake{{"RUN", "--config", "IN/absent.toml"}, 2, "absent.toml: cannot be read"},
        CheckMistake{{"RUN", "--config", "IN/broken.toml"}, 2, "broken.toml: "},
        CheckMistake{{"IN/absent.jitscope", "--config", "IN/broken.toml"}, 2, "broken.toml: "},
        CheckMistake{{"RUN", "--baseline", "IN/absent.json"}, 3, "absent.json: "},
        CheckMistake{{"RUN", "--baseline", "IN/foreign.json"}, 3, "baseline of another version"},
        CheckMistake{{"IN/absent.jitscope", "--limit", "recompiles=9"}, 3, "absent.jitscope: "}));

}  // namespace
}  // namespace jitscope::analyzer
