#include "collector/torch/name_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jitscope::collector {
namespace {

/// Gives each text the next number, and none at all for a while.
class CountingSink final : public trace::EventSink {
 public:
  trace::StringId intern(std::string_view text) noexcept override {
    asked.emplace_back(text);
    return isBetweenFiles ? trace::StringId{} : static_cast<trace::StringId>(asked.size());
  }
  void write(trace::TableId, std::span<const int64_t>) noexcept override {}

  bool isBetweenFiles = false;
  std::vector<std::string> asked;
};

TEST(NameCache, AsksOnceForAName) {
  CountingSink sink;
  NameCache cache;
  const char name[] = "aten::add";
  EXPECT_EQ(cache.intern(name, sink), trace::StringId{1});
  EXPECT_EQ(cache.intern(name, sink), trace::StringId{1});
  EXPECT_EQ(sink.asked.size(), 1u);
}

TEST(NameCache, KnowsAnotherNameAtTheSameAddress) {
  CountingSink sink;
  NameCache cache;
  char name[] = "mine";
  cache.intern(name, sink);
  name[0] = 'l';
  EXPECT_EQ(cache.intern(name, sink), trace::StringId{2});
  EXPECT_EQ(sink.asked.back(), "line");
}

TEST(NameCache, AsksAgainForAnIdThatItDidNotGet) {
  CountingSink sink;
  NameCache cache;
  const char name[] = "aten::add";
  sink.isBetweenFiles = true;
  EXPECT_EQ(cache.intern(name, sink), trace::StringId{});
  sink.isBetweenFiles = false;
  EXPECT_EQ(cache.intern(name, sink), trace::StringId{2});
}

}  // namespace
}  // namespace jitscope::collector
