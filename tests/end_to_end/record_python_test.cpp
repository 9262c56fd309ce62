// A Python program that imports torch while it runs is recorded as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "trace/reader.h"

namespace jitscope {
namespace {

constexpr const char* kScript = R"(
import torch
with torch.autograd.profiler.record_function("mine"):
    print((torch.ones(3, 5) + 1).sum().item())
)";

TEST(RecordPython, ShowsTheOperatorsOfAnUnchangedScript) {
  // -W: torch complains about a missing numpy on standard error.
  const std::vector<std::string> command = {LIBTORCH_PYTHON, "-W", "ignore", "-c", kScript};
  const tests::ProgramRun plain = tests::runProgram(command);
  ASSERT_EQ(plain.status, 0) << plain.errors;

  const tests::TemporaryFolder folder;
  const tests::ProgramRun recorded = tests::record(folder / "out.jitscope", command);
  EXPECT_EQ(recorded.status, 0);
  EXPECT_EQ(recorded.output, plain.output);
  const auto recording = trace::Recording::open(folder / "out.jitscope");
  ASSERT_TRUE(recording) << recording.error().text;

  std::vector<std::string> operators;
  for (const trace::TraceFile& file : recording->files) {
    for (const trace::OpRow& row : file.rows<trace::OpRow>()) {
      operators.push_back(std::string(file.text(row.name)) + ' ' +
                          std::string(file.text(row.shapes)));
    }
  }
  for (const char* wanted : {"aten::add [3, 5], []", "aten::sum [3, 5]", "mine "}) {
    EXPECT_NE(std::find(operators.begin(), operators.end(), wanted), operators.end()) << wanted;
  }
}

}  // namespace
}  // namespace jitscope
