#include "analyzer/import/load_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/analyzer/packing.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

class LoadInputs : public testing::Test {
 protected:
  void write(const std::filesystem::path& name, std::string_view content) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  void writeRecording(const std::filesystem::path& name) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    tests::writeTrace(folder_ / name, "op at=1us..2us thread=1 name=\"a\"");
  }

  tests::TemporaryFolder folder_;
};

struct ForeignCase {
  std::string name, content, words;
};

TEST_F(LoadInputs, NamesWhatIsNoTrace) {
  const std::vector<ForeignCase> cases{
      {"empty", "", "the file is empty"},
      {"nsys", "NVIDIA Tegra Profiler Report 2025", "nsys export --type sqlite"},
      {"xplane", std::string("\x0a\x9d\xb2\x08\x12\x0e/host:metadata\"", 21), "XPlane"},
      {"rocprofiler", "{\n \"rocprofiler-sdk-tool\": [{}]}", "rocprofiler-sdk"},
      {"rocprofiler_bytes", "{\"rocprofiler-sdk-tool\": [{\"names\": [\"\xff\xfe\x80k\"]}]}",
       "rocprofiler-sdk-tool"},
      {"execution", R"({"schema": "1.0.1", "pid": 5, "nodes": []})", "PyTorch execution trace"},
      {"memory", "[[-1, 1, 37888, 7], [-1, 1, 512, 7]]", "memory timeline"},
      {"operators", R"({"aten::mm": ["gemm"]})", "map of operators"},
      {"captures", R"([{"file": "a.json", "batch_size": 3, "mode": "FULL"}])", "graph captures"},
      {"pickle", "\x80\x04\x95", "Python pickle"},
      {"json", R"({"answer": 42})", "JSON without trace events"},
      {"text", "just words\n", "text without a line of a compile log"},
      {"bytes", std::string("\0\1\2", 3), "of no format that is known"}};
  for (const ForeignCase& each : cases) {
    for (const std::string& content : {each.content, gzipped(each.content)}) {
      write(each.name, content);
      const auto loaded = loadInputs(folder_ / each.name, {});
      ASSERT_FALSE(loaded) << each.name;
      EXPECT_TRUE(loaded.error().text.starts_with((folder_ / each.name).string() + ": "));
      EXPECT_NE(loaded.error().text.find(each.words), std::string::npos) << loaded.error().text;
    }
  }
}

TEST_F(LoadInputs, TakesAFolderWithAllBelowItAsOneRun) {
  writeRecording("run/b.jitscope");
  writeRecording("run/deeper/still/a_recording_of_any_name");
  write("run/notes.txt", "nothing to see");
  std::string output;  // too long to tell by its beginning that the compiler says nothing
  while (output.size() < 100'000) output += "step 7: loss 0.25\n";
  write("run/output.txt", output);
  const auto loaded = loadInputs(folder_ / "run", {});
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_EQ(loaded->traces.size(), 2U);
  EXPECT_TRUE(loaded->problems.empty());
  ASSERT_EQ(loaded->inputs.size(), 4U);
  EXPECT_EQ(loaded->inputs[3].format, "not a trace");
  EXPECT_EQ(loaded->inputs[0].format, "jitscope recording");
  EXPECT_EQ(loaded->inputs[2].format, "not a trace");
  EXPECT_EQ(loaded->inputs[2].losses.front().kind, InputLossKind::kForeign);
}

TEST_F(LoadInputs, LeavesOutATraceInTheMaking) {
  writeRecording("run/a.jitscope");
  write("run/.b.jitscope.4711", "");
  const auto loaded = loadInputs(folder_ / "run", {});
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_TRUE(loaded->problems.empty());
  EXPECT_EQ(loaded->inputs.size(), 1U);
}

TEST_F(LoadInputs, NamesAHundredForeignFilesAndCountsTheRest) {
  writeRecording("run/a.jitscope");
  for (int i = 0; i < 107; ++i) write("run/note" + std::to_string(i), "nothing to see");
  const auto loaded = loadInputs(folder_ / "run", {});
  ASSERT_TRUE(loaded) << loaded.error().text;
  ASSERT_EQ(loaded->inputs.size(), 102U);
  EXPECT_EQ(loaded->inputs.back().path, folder_ / "run");
  EXPECT_EQ(loaded->inputs.back().losses.front().amount, 7);
}

TEST_F(LoadInputs, DoesNotFollowLinksToFolders) {
  writeRecording("run/a.jitscope");
  std::filesystem::create_directory_symlink(folder_ / "run", folder_ / "run" / "again");
  const auto loaded = loadInputs(folder_ / "run", {});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->traces.size(), 1U);
}

TEST_F(LoadInputs, SaysWhenAFolderHoldsNoTrace) {
  write("run/notes.txt", "nothing to see");
  write("run/more.txt", "nor here");
  const auto loaded = loadInputs(folder_ / "run", {});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().text,
            (folder_ / "run").string() + ": nothing to read: no trace among 2 files");
}

TEST_F(LoadInputs, CountsTheRowsOfARecording) {
  writeRecording("a.jitscope");
  const auto loaded = loadInputs(folder_ / "a.jitscope", {});
  ASSERT_TRUE(loaded);
  const Input& input = loaded->inputs.front();
  const auto op = std::find_if(input.counts.begin(), input.counts.end(),
                               [](const InputCount& count) { return count.name == "op"; });
  ASSERT_NE(op, input.counts.end());
  EXPECT_EQ(std::get<int64_t>(op->amount), 1);
}

TEST_F(LoadInputs, EndsWhenAStopIsRequested) {
  writeRecording("run/a.jitscope");
  std::stop_source stop;
  stop.request_stop();
  LoadOptions options;
  options.stop = stop.get_token();
  const auto loaded = loadInputs(folder_ / "run", options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().text, (folder_ / "run").string() + ": stopped");
}

}  // namespace
}  // namespace jitscope::analyzer
