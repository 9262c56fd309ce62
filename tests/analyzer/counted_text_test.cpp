#include "analyzer/diagnoses/counted_text.h"

#include <gtest/gtest.h>

namespace jitscope::analyzer {
namespace {

TEST(CountedText, HasTheWordsOfItsNumber) {
  constexpr std::string_view kText = "{} [kernel has|kernels have] lost [its|their] time";
  EXPECT_EQ(countedText(kText, 1), "1 kernel has lost its time");
  EXPECT_EQ(countedText(kText, 2'000), "2,000 kernels have lost their time");
  EXPECT_EQ(countedText("nothing to choose", 1), "nothing to choose");
}

}  // namespace
}  // namespace jitscope::analyzer
