// Which of CUPTI's records a window holds: those of what was launched in it.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "collector/cupti/record_decoder.h"
#include "tests/collector/fake_cupti.h"
#include "trace/memory_trace.h"
#include "trace/row_time.h"

namespace jitscope::collector {
namespace {

/// Keeps what happened from 1,000 to 2,000, and counts who asked.
class WindowedTrace final : public trace::EventSink {
 public:
  trace::StringId intern(std::string_view text) noexcept override { return trace.intern(text); }
  void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
    const auto time = trace::eventTime(table, cells);
    if (!isWindowed || !time || isKept(*time)) trace.write(table, cells);
  }
  static bool isKept(const trace::RowTime& time) {
    return time.endNs > 1'000 && time.startNs < 2'000;
  }

  bool isWindowed = true;
  trace::MemoryTrace trace;
};

WindowedTrace* windowedTrace = nullptr;

void writeLaunched(uint32_t table, const int64_t* cells, uint32_t count, int64_t startNs,
                   int64_t endNs) {
  if (WindowedTrace::isKept({startNs, endNs})) {
    windowedTrace->trace.write(static_cast<trace::TableId>(table), {cells, count});
  }
}

class CuptiWindows : public testing::Test {
 protected:
  void SetUp() override { windowedTrace = &sink; }

  template <class Record>
  void decode(const Record& record) {
    std::vector<uint8_t> bytes(sizeof record);
    std::memcpy(bytes.data(), &record, sizeof record);
    decoder.decode({bytes.data(), bytes.size()});
  }

  void decodeCall(uint64_t start, uint32_t correlation) {
    const uint32_t call = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    decode(fakeCall(call, start, start + 10, correlation, 1));
  }

  void decodeKernel(uint64_t start, uint32_t correlation) {
    decode(fakeKernel("k", start, start + 10, correlation));
  }

  void endRounds(int count) {
    for (int i = 0; i < count; ++i) decoder.endRound(false);
  }

  size_t rowCount(trace::TableId table = trace::TableId::kKernel) {
    return sink.trace.rowCount(table);
  }

  WindowedTrace sink;
  const CuptiApi api = fakeCuptiApi();
  RecordDecoder decoder{api,
                        sink,
                        {.wantsGraphNodes = 1,
                         .traffic = CuptiTraffic::kOff,
                         .onProfiler = nullptr,
                         .isWindowed = [] { return windowedTrace->isWindowed ? 1 : 0; },
                         .writeLaunched = writeLaunched}};
};

TEST_F(CuptiWindows, HoldAKernelThatWasLaunchedInThemAndRanAfterTheirEnd) {
  decodeCall(1'500, 7);
  decodeKernel(9'000, 7);
  EXPECT_EQ(rowCount(), 1u);
}

TEST_F(CuptiWindows, LeaveOutAKernelThatWasLaunchedBeforeThemOrAfter) {
  decodeCall(500, 7);
  decodeKernel(1'500, 7);
  decodeCall(2'500, 8);
  decodeKernel(2'600, 8);
  endRounds(LaunchedRows::kPatienceRounds + 1);
  EXPECT_EQ(rowCount(), 0u);
}

TEST_F(CuptiWindows, HoldAKernelWhoseCallComesLater) {
  decodeKernel(9'000, 7);
  decodeKernel(1'600, 8);
  endRounds(1);
  EXPECT_EQ(rowCount(), 0u);
  decodeCall(1'500, 7);
  decodeCall(500, 8);
  endRounds(1);
  EXPECT_EQ(rowCount(), 1u);
}

TEST_F(CuptiWindows, HoldAllNodesOfAGraphThatWasLaunchedInThem) {
  CUpti_ActivityKernel10 kernel = fakeKernel("k", 9'000, 9'010, 7);
  decodeCall(1'990, 7);
  for (uint64_t node = 1; node <= 100; ++node) {
    kernel.graphNodeId = uint64_t{3} << 32 | node;
    decode(kernel);
  }
  EXPECT_EQ(rowCount(), 100u);
}

TEST_F(CuptiWindows, HoldCopiesAndMemsetsByTheirCallsToo) {
  decodeCall(1'500, 7);
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.start = 5'000, copy.end = 6'000, copy.correlationId = 7;
  decode(copy);
  CUpti_ActivityMemset4 set{};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.start = 5'000, set.end = 6'000, set.correlationId = 7;
  decode(set);
  EXPECT_EQ(rowCount(trace::TableId::kMemcpy), 1u);
  EXPECT_EQ(rowCount(trace::TableId::kMemset), 1u);
}

TEST_F(CuptiWindows, GoByTheKernelsOwnTimeWhenItsCallNeverComes) {
  decodeKernel(1'500, 7);
  decodeKernel(2'500, 8);
  decodeKernel(1'600, 0);  // has no call
  EXPECT_EQ(rowCount(), 1u);
  endRounds(LaunchedRows::kPatienceRounds);
  EXPECT_EQ(rowCount(), 2u);
  decodeKernel(1'700, 9);
  decoder.endRound(true);
  EXPECT_EQ(rowCount(), 3u);
}

TEST_F(CuptiWindows, DoNotMistakeACallForAnEarlierOneOfTheSameSlot) {
  decodeCall(500, 7);
  decodeCall(1'500, 7 + static_cast<uint32_t>(LaunchedRows::kCalls));
  decodeKernel(1'500, 7);  // whose call is forgotten
  decoder.endRound(true);
  EXPECT_EQ(rowCount(), 1u);
}

TEST_F(CuptiWindows, KeepOnlySoManyKernelsWaiting) {
  const uint32_t most = LaunchedRows::kMostHeld;
  for (uint32_t i = 1; i <= most + 50; ++i) decodeKernel(1'500, i);
  EXPECT_EQ(rowCount(), 50u);
  for (uint32_t i = 1; i <= most; ++i) decodeCall(500, i);
  endRounds(1);
  EXPECT_EQ(rowCount(), 50u);
}

TEST_F(CuptiWindows, ThatBeginLaterDoNotForgetWhatWasLaunchedBefore) {
  sink.isWindowed = false;  // until the program stops the recording
  decodeCall(1'900, 7);
  decodeKernel(500, 6);
  EXPECT_EQ(rowCount(), 1u);
  sink.isWindowed = true;
  decodeKernel(9'000, 7);
  EXPECT_EQ(rowCount(), 2u);
}

}  // namespace
}  // namespace jitscope::collector
