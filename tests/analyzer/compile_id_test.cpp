#include "analyzer/import/compile_id.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::analyzer {
namespace {

TEST(TorchCompileId, IsReadInAllItsForms) {
  EXPECT_EQ(parseTorchCompileId("2/1"), (TorchCompileId{-1, 2, 1}));
  EXPECT_EQ(parseTorchCompileId("2/1_3"), (TorchCompileId{-1, 2, 1}));
  EXPECT_EQ(parseTorchCompileId("!0/2/1"), (TorchCompileId{0, 2, 1}));
  EXPECT_EQ(parseTorchCompileId("!0/-/-"), (TorchCompileId{0, -1, -1}));
  EXPECT_EQ(parseTorchCompileId("!3"), (TorchCompileId{3, -1, -1}));
  EXPECT_EQ(parseTorchCompileId("!3_1"), (TorchCompileId{3, -1, -1}));
}

TEST(TorchCompileId, IsNotReadFromOtherText) {
  for (const char* text : {"", "/", "1/", "/1", "1/1/", "1/1_", "1/1_x", "-1/2", "a/b", "1/2 ",
                           "!1/2", "!", "!/1", "99999999999999999999/1"})
    EXPECT_FALSE(parseTorchCompileId(text)) << text;
}

TEST(TorchCompileId, IsTakenOffAReason) {
  std::string_view text = "0/1: L['n'] == 3";
  EXPECT_EQ(takeTorchCompileId(text), (TorchCompileId{-1, 0, 1}));
  EXPECT_EQ(text, "L['n'] == 3");
  EXPECT_FALSE(takeTorchCompileId(text));
  EXPECT_EQ(text, "L['n'] == 3");
}

}  // namespace
}  // namespace jitscope::analyzer
