#include "analyzer/import/decimal_number.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::analyzer {
namespace {

struct NumberCase {
  std::string text;
  double number;
};

class DecimalNumbers : public testing::TestWithParam<NumberCase> {};

TEST_P(DecimalNumbers, AreReadFromTheFrontOfAText) {
  EXPECT_DOUBLE_EQ(numberAt(GetParam().text), GetParam().number);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, DecimalNumbers,
    testing::Values(NumberCase{"2.5 seconds", 2.5}, NumberCase{"0.0019 seconds", 0.0019},
                    NumberCase{"17", 17}, NumberCase{"17 s", 17}, NumberCase{"2,5 s", 2},
                    NumberCase{"3. s", 3}, NumberCase{"1.12345678987654321", 1.123456789},
                    NumberCase{"", -1}, NumberCase{" 1", -1}, NumberCase{"-1", -1},
                    NumberCase{"seconds", -1}, NumberCase{"99999999999999999999", -1}));

}  // namespace
}  // namespace jitscope::analyzer
