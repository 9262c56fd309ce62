#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/analyzer/fuzz_logs.h"
#include "tests/analyzer/mutations.h"

namespace jitscope::analyzer {
namespace {

std::vector<std::string> allLogs() {
  std::vector<std::string> logs;
  for (const auto& entry : std::filesystem::directory_iterator(JITSCOPE_TEST_LOGS)) {
    if (entry.path().extension() != ".log") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    logs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return logs;
}

TEST(MutatedLogs, DoNoHarm) {
  const std::vector<std::string> logs = allLogs();
  ASSERT_GE(logs.size(), 20U);
  readMutated(logs, readAnyLog);
}

}  // namespace
}  // namespace jitscope::analyzer
