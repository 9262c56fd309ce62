#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "tests/analyzer/mutations.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

std::string bytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Loads, analyses and shows whatever is left of a file.
void readAsUsersDo(const std::string& bytes) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "file", std::ios::binary) << bytes;
  const trace::Result<analyzer::Run> run = loadRun(folder / "file");
  if (!run) return;
  const Analysis analysis = analyze(*run);
  for (const ReportFormat format : {ReportFormat::kJson, ReportFormat::kHtml})
    EXPECT_FALSE(renderReport(*run, analysis, format).empty());
}

TEST(MutatedTraces, DoNoHarm) {
  std::vector<std::string> traces;
  const std::filesystem::path folder = JITSCOPE_SOURCE_FOLDER "/tests/traces/import";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().string().find(".json") != std::string::npos)
      traces.push_back(bytesOf(entry.path()));
  }
  ASSERT_GE(traces.size(), 10U);
  readMutated(traces, readAsUsersDo);
}

TEST(MutatedRecordings, DoNoHarm) {
  const tests::TemporaryFolder folder;
  tests::writeTrace(folder / "run.jitscope", kServiceRows);
  readMutated({bytesOf(folder / "run.jitscope")}, readAsUsersDo);
}

}  // namespace
}  // namespace jitscope::analyzer
