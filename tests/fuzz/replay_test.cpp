#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/targets.h"

namespace jitscope::fuzz {
namespace {

class Fuzzed : public testing::TestWithParam<Target> {};

size_t runAll(const Target& target, const std::filesystem::path& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    target.run(std::string{std::istreambuf_iterator<char>(file), {}});
    ++count;
  }
  return count;
}

TEST_P(Fuzzed, InputsThatAreKeptDoNoHarm) {
  const std::filesystem::path traces = JITSCOPE_SOURCE_FOLDER "/tests/traces";
  EXPECT_GT(runAll(GetParam(), traces / "fuzz" / GetParam().name), 0U);
  // Also what another format's tests have: a target leaves alone what is not its own.
  for (const char* folder : {"import", "logs"}) EXPECT_GT(runAll(GetParam(), traces / folder), 0U);
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzzed, testing::ValuesIn(kTargets),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace jitscope::fuzz
