#include "analyzer/import/json_view.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jitscope::analyzer {
namespace {

TEST(JsonView, GivesMembersOfEveryKind) {
  const JsonView json(
      R"( {"n": -7, "big": 1795975214632754, "x": 2.5, "t": "a\"b", "o": {"k": [1, {}]},
    "nothing": null} )");
  EXPECT_EQ(json["n"].integer(), -7);
  EXPECT_EQ(json["big"].integer(), 1795975214632754);
  EXPECT_EQ(json["x"].real(), 2.5);
  EXPECT_EQ(json["x"].integer(), 2);
  EXPECT_EQ(json["t"].string(), "a\"b");
  EXPECT_EQ(json["o"]["k"].raw(), "[1, {}]");
  EXPECT_TRUE(json["nothing"].isNull());
  EXPECT_FALSE(json["absent"].exists());
  EXPECT_EQ(json["absent"].integer(3), 3);
}

TEST(JsonView, DecodesEscapes) {
  EXPECT_EQ(JsonView(R"("a\n\t\\\u00e9\ud83d\ude00\/")").string(), "a\n\t\\\u00e9\U0001F600/");
  EXPECT_EQ(JsonView(R"("\ud83d")").string(), "\uFFFD");
  EXPECT_EQ(JsonView(R"("\u12")").string(),
            "\uFFFD"
            "12");
  EXPECT_EQ(JsonView(R"("plain")").plain(), "plain");
  EXPECT_EQ(JsonView(R"("not\n")").plain(), "");
}

TEST(JsonView, ReadsLists) {
  std::vector<std::string> items;
  EXPECT_TRUE(JsonView(R"(["a", 1 , {"x": "]"}])").forEachItem([&](JsonView item) {
    items.emplace_back(item.raw());
    return true;
  }));
  EXPECT_EQ(items, (std::vector<std::string>{"\"a\"", "1", R"({"x": "]"})"}));
}

class BrokenJson : public testing::TestWithParam<std::string> {};

TEST_P(BrokenJson, EndsWhatIsIterated) {
  const JsonView json(GetParam());
  EXPECT_FALSE(json.forEachMember([](std::string_view, JsonView) { return true; }));
}

INSTANTIATE_TEST_SUITE_P(Texts, BrokenJson,
                         testing::Values("", "{", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\": \"x",
                                         "{\"a\": [1}", "{a: 1}", "{\"a\": 1} x", "[1]"));

TEST(JsonView, NestingCostsNoStack) {
  const std::string deep =
      "{\"a\": " + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  EXPECT_EQ(JsonView(deep)["a"].raw().size(), 2'000'000U);
}

}  // namespace
}  // namespace jitscope::analyzer
