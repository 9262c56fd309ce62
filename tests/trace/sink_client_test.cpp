#include "trace/sink_client.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using jitscope::trace::EventSink;
using jitscope::trace::StringId;
using jitscope::trace::TableId;

class RememberingSink final : public EventSink {
 public:
  StringId intern(std::string_view text) noexcept override {
    texts.emplace_back(text);
    return static_cast<StringId>(texts.size());
  }
  void write(TableId table, std::span<const int64_t> cells) noexcept override {
    rows.emplace_back(table, std::vector<int64_t>(cells.begin(), cells.end()));
  }

  std::vector<std::string> texts;
  std::vector<std::pair<TableId, std::vector<int64_t>>> rows;
};

const JitscopeSink* offered = nullptr;

}  // namespace

extern "C" __attribute__((visibility("default"))) const JitscopeSink* jitscope_sink_v1() {
  return offered;
}

namespace jitscope::trace {
namespace {

TEST(SinkClient, CarriesTextAndRowsOverTheBoundary) {
  RememberingSink far;
  const JitscopeSink boundary = offerSink(far);
  const std::unique_ptr<EventSink> near = sinkOver(boundary);

  EXPECT_EQ(near->intern(std::string_view("a\0b", 3)), StringId{1});
  emit(*near, ThreadRow{.thread = -7, .name = StringId{1}});

  EXPECT_EQ(far.texts, std::vector<std::string>{std::string("a\0b", 3)});
  ASSERT_EQ(far.rows.size(), 1u);
  EXPECT_EQ(far.rows[0].first, TableId::kThread);
  EXPECT_EQ(far.rows[0].second, (std::vector<int64_t>{-7, 1}));
}

TEST(SinkClient, FindsTheCollectorOfTheProcess) {
  RememberingSink far;
  const JitscopeSink boundary = offerSink(far);
  offered = &boundary;
  const std::unique_ptr<EventSink> near = connectToCollector();
  offered = nullptr;

  ASSERT_NE(near, nullptr);
  near->intern("found");
  EXPECT_EQ(far.texts, std::vector<std::string>{"found"});
}

TEST(SinkClient, FindsNothingWhenNothingIsRecorded) {
  offered = nullptr;
  EXPECT_EQ(connectToCollector(), nullptr);
}

TEST(SinkClient, GivesTheEmptyTextForAnIdThatDoesNotFit) {
  JitscopeSink boundary{};
  boundary.intern = [](void*, const char*, uint64_t) { return uint64_t{1} << 32; };
  EXPECT_EQ(sinkOver(boundary)->intern("x"), StringId{});
}

}  // namespace
}  // namespace jitscope::trace
