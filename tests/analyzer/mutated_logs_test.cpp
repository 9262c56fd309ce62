#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/analyzer/fuzz_logs.h"

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

/// Damages a text in one of the ways in which files come to be damaged, or an attacker would.
std::string mutated(std::string text, std::mt19937_64& random) {
  const auto at = [&] { return static_cast<size_t>(random() % (text.size() + 1)); };
  switch (random() % 5) {
    case 0:
      return text.substr(0, at());
    case 1:
      for (int i = 0; i < 8 && !text.empty(); ++i)
        text[random() % text.size()] = static_cast<char>(random());
      return text;
    case 2:
      return text.erase(at(), random() % 200);
    case 3:
      return text.insert(at(), std::string(random() % 3000, "[{\"\\|\n\r\t "[random() % 10]));
    default: {
      const size_t from = at();
      return text.insert(at(), text.substr(from, random() % 2000));
    }
  }
}

TEST(MutatedLogs, DoNoHarm) {
  const std::vector<std::string> logs = allLogs();
  ASSERT_GE(logs.size(), 20U);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::string log = logs[random() % logs.size()];
    for (uint64_t damage = 1 + random() % 3; damage > 0; --damage) log = mutated(log, random);
    readAnyLog(log);
  }
}

}  // namespace
}  // namespace jitscope::analyzer
