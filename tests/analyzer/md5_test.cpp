#include "analyzer/import/md5.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace jitscope::analyzer {
namespace {

Md5 digest(std::string_view digits) {
  Md5 result{};
  EXPECT_TRUE(parseMd5(digits, result)) << digits;
  return result;
}

TEST(Md5, IsThatOfTheStandard) {
  EXPECT_EQ(md5Of(""), digest("d41d8cd98f00b204e9800998ecf8427e"));
  EXPECT_EQ(md5Of("abc"), digest("900150983cd24fb0d6963f7d28e17f72"));
  EXPECT_EQ(md5Of("message digest"), digest("f96b697d7cb7938d525a2f31aaf161d0"));
  EXPECT_EQ(md5Of("1234567890123456789012345678901234567890123456789012345678901234567890123456789"
                  "0"),
            digest("57edf4a22be3c955ac49da2e2107b67a"));
}

TEST(Md5, RefusesWhatIsNoDigest) {
  Md5 ignored{};
  EXPECT_FALSE(parseMd5("", ignored));
  EXPECT_FALSE(parseMd5("d41d8cd98f00b204e9800998ecf8427", ignored));
  EXPECT_FALSE(parseMd5("x41d8cd98f00b204e9800998ecf8427e", ignored));
}

TEST(Md5Checker, AnswersEveryTextOnceWhateverItsSize) {
  std::mt19937_64 random(7);
  std::map<int64_t, bool> answers;
  Md5Checker checker(
      [&](int64_t tag, bool isRight) { EXPECT_TRUE(answers.emplace(tag, isRight).second) << tag; });
  for (int64_t tag = 0; tag < 600; ++tag) {
    std::string text(random() % (tag % 7 == 0 ? 5000 : 130), '\0');
    for (char& c : text) c = static_cast<char>(random());
    Md5 expected = md5Of(text);
    if (tag % 5 == 0) expected[1] ^= 1;
    checker.add(tag, text, expected);
  }
  checker.finish();
  ASSERT_EQ(answers.size(), 600U);
  for (const auto& [tag, isRight] : answers) EXPECT_EQ(isRight, tag % 5 != 0) << tag;
}

}  // namespace
}  // namespace jitscope::analyzer
