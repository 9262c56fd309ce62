#include "analyzer/import/json_cursor.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "analyzer/import/chrome_event.h"

namespace jitscope::analyzer {
namespace {

/// JSON with what a cursor needs behind it.
class PaddedJson {
 public:
  explicit PaddedJson(std::string text) : text_(std::move(text)), length_(text_.size()) {
    text_.append(JsonCursor::kPadding, '\0');
  }
  JsonCursor cursor() { return {text_.data(), text_.data() + length_, repairs}; }
  JsonRepairs repairs;

 private:
  std::string text_;
  size_t length_;
};

std::string decoded(const std::string& quoted) {
  PaddedJson json(quoted + ",");
  JsonCursor cursor = json.cursor();
  JsonText text;
  if (!cursor.readText(text)) return "(not read)";
  std::string scratch;
  return std::string(decode(text, scratch));
}

TEST(JsonCursor, DecodesStrings) {
  EXPECT_EQ(decoded(R"("plain")"), "plain");
  EXPECT_EQ(decoded(R"("")"), "");
  EXPECT_EQ(decoded(R"("a\"b\\c\/d\n\t")"), "a\"b\\c/d\n\t");
  EXPECT_EQ(decoded(R"("\u00e9\u20AC")"), "é€");
  EXPECT_EQ(decoded(R"("\ud83d\ude00")"), "😀");
  EXPECT_EQ(decoded(R"("\ud83d alone")"), "\xef\xbf\xbd alone");
  EXPECT_EQ(decoded("\"a string that is longer than sixteen bytes \\n and goes on\""),
            "a string that is longer than sixteen bytes \n and goes on");
}

TEST(JsonCursor, RepairsStrings) {
  EXPECT_EQ(decoded(R"("C:\Users\x")"), R"(C:\Users\x)");
  EXPECT_EQ(decoded(R"("\u12 short")"), R"(\u12 short)");
  EXPECT_EQ(decoded(R"("say "hello" to it")"), R"(say "hello" to it)");
  EXPECT_EQ(decoded("\"two\nlines\x01\""), "two\nlines\x01");
  PaddedJson json(R"("C:\Users "q" )"
                  "\x02\",");
  JsonText text;
  JsonCursor cursor = json.cursor();
  EXPECT_TRUE(cursor.readText(text));
  EXPECT_EQ(json.repairs.escapes, 1);
  EXPECT_EQ(json.repairs.quotes, 2);
  EXPECT_EQ(json.repairs.controls, 1);
}

TEST(JsonCursor, TellsWhenMoreBytesCouldHelp) {
  for (const std::string& start : std::vector<std::string>{"\"abc", "\"abc\\", "\"abc\"", "12",
                                                           "[1, {\"a\": [", "{\"a\": 1"}) {
    PaddedJson json(start);
    JsonCursor cursor = json.cursor();
    EXPECT_FALSE(cursor.skipValue()) << start;
    EXPECT_TRUE(cursor.hasRunOut()) << start;
  }
}

struct ValueCase {
  std::string text;
  int64_t words;
};

TEST(JsonCursor, StepsOverAnyValue) {
  for (const ValueCase& each : std::vector<ValueCase>{{"-12.5e3", 0},
                                                      {"true", 0},
                                                      {"null", 0},
                                                      {"NaN", 1},
                                                      {"-Infinity", 1},
                                                      {"N/A", 1},
                                                      {"\"[{\"", 0},
                                                      {"[1, [2, {\"a\": \"]\"}], NaN, inf]", 2},
                                                      {"{}", 0},
                                                      {"[]", 0}}) {
    PaddedJson json(each.text + " , next");
    JsonCursor cursor = json.cursor();
    EXPECT_TRUE(cursor.skipValue()) << each.text;
    EXPECT_EQ(cursor.peek(), ',') << each.text;
    EXPECT_EQ(json.repairs.words, each.words) << each.text;
  }
}

TEST(JsonCursor, StepsOverDeepNestingWithoutRecursion) {
  constexpr size_t kDepth = 2'000'000;
  PaddedJson json(std::string(kDepth, '[') + std::string(kDepth, ']') + ",");
  JsonCursor cursor = json.cursor();
  EXPECT_TRUE(cursor.skipValue());
  EXPECT_EQ(cursor.peek(), ',');
}

struct TimeCase {
  std::string text;
  std::optional<int64_t> ns;
};

TEST(ChromeEvent, ReadsTimesToTheNanosecond) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const TimeCase& each :
       std::vector<TimeCase>{{"0", 0},
                             {"1700000000000000.123", 1'700'000'000'000'000'123},
                             {"5.5", 5500},
                             {"0.02", 20},
                             {"-3.25", -3250},
                             {"1.23456", 1235},
                             {"1.2344", 1234},
                             {"1.5e3", 1'500'000},
                             {"", {}},
                             {"NaN", {}},
                             {"inf", {}},
                             {"12x", {}},
                             {"-", {}},
                             {"1e400", kMost},
                             {"-1e400", -kMost},
                             {"99999999999999999999", kMost}}) {
    EXPECT_EQ(toNanoseconds(each.text), each.ns) << each.text;
  }
}

TEST(ChromeEvent, TakesWhatItKnowsInAnyOrder) {
  PaddedJson json(R"({"args": {"x": [1, {"ph": "no"}], "correlation": 17, "grid": [4, 1, 1]},
               "name": "k\n", "ts": "1.5", "dur": 2, "tid": "stream 7", "pid": 0, "ph": "X",
               "cat": "kernel", "unknown": {"ts": 5}},)");
  JsonCursor cursor = json.cursor();
  ChromeEvent event;
  ASSERT_TRUE(readEvent(cursor, event));
  EXPECT_EQ(event.phase.text, "X");
  EXPECT_EQ(event.category.raw, "kernel");
  EXPECT_TRUE(event.name.hasEscapes);
  EXPECT_EQ(event.start.text, "1.5");
  EXPECT_TRUE(event.start.isString);
  EXPECT_EQ(event.threadId.text, "stream 7");
  EXPECT_EQ(event.arguments.correlation.text, "17");
  EXPECT_EQ(event.arguments.grid, "[4, 1, 1]");
  EXPECT_EQ(cursor.peek(), ',');
}

}  // namespace
}  // namespace jitscope::analyzer
