#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace jitscope::tests {

void expectGolden(const std::filesystem::path& golden, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(JITSCOPE_SOURCE_FOLDER) / golden;
  const char* const update = std::getenv("UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream file(path, std::ios::binary);
    file << actual;
    ASSERT_TRUE(file.flush()) << "cannot write " << path;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no golden file " << path << ", UPDATE_GOLDEN=1 writes it";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(expected.str(), actual) << "differs from " << golden << ", UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace jitscope::tests
