// What a recording of a Python program that uses torch.compile holds; the program is as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "trace/reader.h"

namespace jitscope {
namespace {

using tests::ProgramRun;
using trace::AttemptId;
using trace::CallOutcome;
using trace::FrameId;
using trace::TraceFile;

std::string scriptPath(const std::string& name) { return std::string(SCRIPTS) + '/' + name; }

// The line of a script that holds this text.
int lineOf(const std::string& script, const std::string& text) {
  std::ifstream file(scriptPath(script));
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

class TorchCompile : public testing::Test {
 protected:
  static tests::RunOptions options(const tests::TemporaryFolder& folder) {
    tests::RunOptions options;
    options.environment["TORCHINDUCTOR_CACHE_DIR"] = folder / "cache";
    options.patienceSeconds = 500;  // a first compilation by Inductor
    return options;
  }

  static std::vector<std::string> command(const std::string& script) {
    return {LIBTORCH_PYTHON, "-W", "ignore", scriptPath(script)};
  }

  static ProgramRun recordTo(const std::string& path, const tests::TemporaryFolder& folder,
                             const std::string& script) {
    return tests::record(path, command(script), options(folder));
  }

  static trace::Recording opened(const std::string& path, const ProgramRun& run) {
    EXPECT_EQ(run.status, 0) << run.errors;
    auto recording = trace::Recording::open(path);
    EXPECT_TRUE(recording) << recording.error().text << run.errors;
    return recording ? *recording : trace::Recording{};
  }

  trace::Recording recordScript(const std::string& script) {
    run = recordTo(folder / "out.jitscope", folder, script);
    return opened(folder / "out.jitscope", run);
  }

  ProgramRun runScript(const std::string& script) {
    return tests::runProgram(command(script), options(folder));
  }

  static std::vector<trace::OpRow> kernelsOf(const TraceFile& file) {
    std::vector<trace::OpRow> rows = file.rows<trace::OpRow>();
    std::erase_if(rows, [&](const trace::OpRow& row) {
      return !file.text(row.name).starts_with("cpp_fused");
    });
    return rows;
  }

  // The frame of that name; kNone when there is none.
  static FrameId frameNamed(const TraceFile& file, std::string_view name) {
    for (const trace::FrameRow& row : file.rows<trace::FrameRow>()) {
      if (file.text(row.name) == name) return row.frame;
    }
    return FrameId::kNone;
  }

  template <class Row>
  static std::vector<Row> rowsOf(const TraceFile& file, FrameId frame) {
    std::vector<Row> rows = file.rows<Row>();
    std::erase_if(rows, [&](const Row& row) { return row.frame != frame; });
    return rows;
  }

  static std::vector<std::string> artifactsOf(const TraceFile& file, std::string_view kind) {
    std::vector<std::string> contents;
    for (const trace::ArtifactRow& row : file.rows<trace::ArtifactRow>()) {
      if (file.text(row.kind) == kind) contents.emplace_back(file.text(row.content));
    }
    return contents;
  }

  static void expectNothingLost(const TraceFile& file) {
    for (const trace::LossRow& row : file.rows<trace::LossRow>()) {
      EXPECT_EQ(row.kind, trace::LossKind::kOverhead) << file.text(row.text);
    }
  }

  tests::TemporaryFolder folder;
  ProgramRun run;
};

// What is told of one script. It is recorded once, for that takes as long as the script.
class TorchCompileStory : public TorchCompile {
 protected:
  struct Told {
    tests::TemporaryFolder folder;
    std::string path = folder / "out.jitscope";
    ProgramRun run = recordTo(path, folder, "story.py");
    trace::Recording recording = opened(path, run);
  };

  static void SetUpTestSuite() { told = new Told; }
  static void TearDownTestSuite() { delete std::exchange(told, nullptr); }
  void SetUp() override { ASSERT_EQ(told->recording.files.size(), 1u); }

  static const TraceFile& story() { return told->recording.files[0]; }

  static inline Told* told = nullptr;  // as GoogleTest would have it
};

TEST_F(TorchCompileStory, HoldsBreaksCompilesAndFailuresOfAnUnchangedScript) {
  const TraceFile& file = story();
  EXPECT_EQ(told->run.output, "done\n");
  expectNothingLost(file);

  const FrameId step = frameNamed(file, "step");
  ASSERT_NE(step, FrameId::kNone);
  const std::string breakPlace =
      scriptPath("story.py") + ':' + std::to_string(lineOf("story.py", "# the break")) + " step";
  const auto breaks = rowsOf<trace::GraphBreakRow>(file, step);
  ASSERT_FALSE(breaks.empty());
  EXPECT_TRUE(file.text(breaks[0].stack).starts_with(breakPlace)) << file.text(breaks[0].stack);
  EXPECT_NE(file.text(breaks[0].reason).find("item"), std::string::npos);
  EXPECT_NE(file.text(breaks[0].hint), "");
  const auto firsts =
      std::count_if(breaks.begin(), breaks.end(), [](const auto& row) { return row.isFirst != 0; });
  EXPECT_EQ(firsts, 3);  // in each of the three compilations
  const auto passed =
      std::find_if(breaks.begin(), breaks.end(), [](const auto& row) { return row.isFirst == 0; });
  ASSERT_NE(passed, breaks.end());
  EXPECT_GT(passed->endNs, passed->startNs);

  const auto compiles = rowsOf<trace::CompileRow>(file, step);
  ASSERT_EQ(compiles.size(), 3u);
  EXPECT_EQ(file.text(compiles[0].trigger), "first call");
  EXPECT_EQ(file.text(compiles[1].trigger),
            "tensor 'x' size mismatch at index 0. expected 3, actual 5");
  EXPECT_EQ(file.text(compiles[2].trigger), "n == 1");
  EXPECT_TRUE(compiles[1].isDynamic);
  for (const trace::CompileRow& row : compiles) {
    EXPECT_GT(row.captureNs, 0);
    EXPECT_GT(row.guardsNs, 0);
    EXPECT_LE(row.captureNs + row.guardsNs + row.aotNs + row.codegenNs + row.backendNs,
              row.endNs - row.startNs);
  }
  const auto failures = rowsOf<trace::GuardFailureRow>(file, step);
  ASSERT_EQ(failures.size(), 3u);  // 0/0 of the first recompile, 0/1 and 0/0 of the second
  EXPECT_EQ(failures[0].attempt, AttemptId{0});
  EXPECT_EQ(failures[0].caused, AttemptId{1});
  const std::string caller =
      scriptPath("story.py") + ':' + std::to_string(lineOf("story.py", "# a size")) + " <module>";
  EXPECT_EQ(file.text(failures[0].stack), caller);
  EXPECT_GT(rowsOf<trace::GuardRow>(file, step).size(), 9u);
  EXPECT_EQ(artifactsOf(file, "phases").size(), file.rows<trace::CompileRow>().size());
  EXPECT_FALSE(artifactsOf(file, "graph_code").empty());
}

// How often each outcome occurs among the calls of a frame, by entry.
std::map<std::pair<CallOutcome, AttemptId>, int> outcomes(
    const std::vector<trace::CallRow>& calls) {
  std::map<std::pair<CallOutcome, AttemptId>, int> counts;
  for (const trace::CallRow& row : calls) ++counts[{row.outcome, row.attempt}];
  return counts;
}

TEST_F(TorchCompileStory, CountsCallsAndMarksRegions) {
  const TraceFile& file = story();
  const FrameId step = frameNamed(file, "step");
  const FrameId scale = frameNamed(file, "scale");
  auto ofStep = outcomes(rowsOf<trace::CallRow>(file, step));
  EXPECT_EQ((ofStep[{CallOutcome::kCompiled, AttemptId{0}}]), 1);
  EXPECT_EQ((ofStep[{CallOutcome::kHit, AttemptId{0}}]), 2);
  EXPECT_EQ((ofStep[{CallOutcome::kCompiled, AttemptId{2}}]), 1);
  EXPECT_EQ((ofStep[{CallOutcome::kHit, AttemptId{2}}]), 1);
  auto ofScale = outcomes(rowsOf<trace::CallRow>(file, scale));
  EXPECT_EQ((ofScale[{CallOutcome::kLimit, AttemptId::kNone}]), 4);  // sizes 10 to 13
  EXPECT_EQ((ofScale[{CallOutcome::kHit, AttemptId{0}}]), 1);

  const auto calls = rowsOf<trace::CallRow>(file, step);
  const auto regions = rowsOf<trace::RegionRow>(file, step);
  ASSERT_EQ(regions.size(), 6u);
  ASSERT_EQ(calls.size(), 6u);
  for (size_t index = 0; index < regions.size(); ++index) {
    EXPECT_EQ(regions[index].attempt, calls[index].attempt);
    EXPECT_LE(calls[index].startNs, regions[index].startNs);
    EXPECT_GE(calls[index].endNs, regions[index].endNs);
    EXPECT_GT(calls[index].guardNs, 0);
  }
  const auto operators = file.rows<trace::OpRow>();
  const auto isInFirst = [&](const trace::OpRow& row) {
    return row.startNs >= regions[0].startNs && row.endNs <= regions[0].endNs &&
           row.thread == regions[0].thread && file.text(row.name) == "aten::mul";
  };
  EXPECT_TRUE(std::any_of(operators.begin(), operators.end(), isInFirst));
}

TEST_F(TorchCompileStory, IsReportedWithPlacesAndFixes) {
  const ProgramRun report = tests::runProgram({JITSCOPE_PROGRAM, "report", told->path});
  EXPECT_EQ(report.status, 0) << report.errors;
  const auto place = [](const char* text) {
    return "story.py:" + std::to_string(lineOf("story.py", text));
  };
  for (const std::string& wanted : {place("# the break"), place("# a size"), place("# a number"),
                                    place("scale(torch.ones(size))"), std::string("graph break: "),
                                    std::string("recompile: size 0 of x changed from 3 to 5"),
                                    std::string("recompile limit")}) {
    EXPECT_NE(report.output.find(wanted), std::string::npos) << wanted << "\n" << report.output;
  }
}

TEST_F(TorchCompile, TimesInductorsKernelsWithoutChangingItsCacheKey) {
  // A program that is not recorded fills the cache.
  const ProgramRun plain = runScript("inductor.py");
  if (plain.errors.find("Python.h: No such file") != std::string::npos) {
    GTEST_SKIP() << "torch.compile builds no kernels here: Python has no headers (python3-dev)";
  }
  ASSERT_EQ(plain.status, 0) << plain.errors;
  const trace::Recording recording = recordScript("inductor.py");
  EXPECT_EQ(run.output, plain.output);
  const auto compiles = [](const TraceFile& file) {
    return !file.rows<trace::CompileRow>().empty();
  };
  const auto found = std::find_if(recording.files.begin(), recording.files.end(), compiles);
  ASSERT_NE(found, recording.files.end());
  const TraceFile& file = *found;
  expectNothingLost(file);
  const trace::CompileRow compile = file.rows<trace::CompileRow>()[0];
  EXPECT_EQ(compile.cache, trace::CacheState::kHit);
  EXPECT_GT(compile.kernelCount, 0);
  EXPECT_EQ(compile.codegenNs, 0);  // none was generated again
  EXPECT_FALSE(artifactsOf(file, "output_code").empty());

  const auto regions = file.rows<trace::RegionRow>();
  ASSERT_GE(regions.size(), 3u);  // and those backwards, on the threads of autograd
  const std::vector<trace::OpRow> kernels = kernelsOf(file);
  ASSERT_GE(kernels.size(), 3u);
  const auto isInARegion = [&](const trace::OpRow& kernel) {
    return std::any_of(regions.begin(), regions.end(), [&](const trace::RegionRow& region) {
      return region.thread == kernel.thread && region.startNs <= kernel.startNs &&
             region.endNs >= kernel.endNs;
    });
  };
  EXPECT_TRUE(std::all_of(kernels.begin(), kernels.end(), isInARegion));
}

TEST_F(TorchCompile, GivesEachProcessItsOwnStory) {
  const trace::Recording recording = recordScript("children.py");
  EXPECT_EQ(run.output, "done 0\n");
  std::vector<size_t> compiles;
  for (const TraceFile& file : recording.files) {
    const size_t count = file.rows<trace::CompileRow>().size();
    if (count) compiles.push_back(count);
    EXPECT_EQ(file.rows<trace::RegionRow>().size(), count);
  }
  EXPECT_EQ(compiles, (std::vector<size_t>{1, 1, 1}));
}

}  // namespace
}  // namespace jitscope
