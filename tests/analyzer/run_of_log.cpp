#include "tests/analyzer/run_of_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

Run runOfFile(const std::filesystem::path& path) {
  trace::Result<Run> run = loadRun(path);
  if (run) return std::move(*run);
  ADD_FAILURE() << run.error().text;
  return {};
}

}  // namespace

Run runOfLog(std::string_view text) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "log", std::ios::binary) << text;
  return runOfFile(folder / "log");
}

Run runOfLogFile(const std::string& name) {
  return runOfFile(std::filesystem::path(JITSCOPE_TEST_LOGS) / name);
}

int64_t inputCount(const Run& run, std::string_view name) {
  if (run.inputs.size() != 1) return -1;
  for (const InputCount& count : run.inputs.front().counts) {
    if (count.name == name) return std::get<int64_t>(count.amount);
  }
  return -1;
}

}  // namespace jitscope::analyzer
