#include <gtest/gtest.h>

#include <chrono>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "tests/support/temporary_folder.h"
#include "trace/writer.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kCalls = 20'000;
constexpr int64_t kOpsPerCall = 50;

/// A long run: every call has its region, every operator a child that ends before it.
void writeLongRun(const std::filesystem::path& path) {
  trace::Result<std::unique_ptr<trace::FileWriter>> writer = trace::FileWriter::create(path);
  ASSERT_TRUE(writer) << writer.error().text;
  trace::EventSink& sink = **writer;
  const trace::StringId name = sink.intern("aten::add");
  for (int64_t call = 0; call < kCalls; ++call) {
    const int64_t startNs = call * 100'000;
    const int64_t thread = call % 2 + 1;
    for (int64_t op = 0; op < kOpsPerCall / 2; ++op) {
      const int64_t opNs = startNs + 1'000 + op * 1'000;
      trace::emit(sink, trace::OpRow{.startNs = opNs + 10,
                                     .endNs = opNs + 400,
                                     .thread = thread,
                                     .depth = 1,
                                     .name = name});
      trace::emit(
          sink, trace::OpRow{.startNs = opNs, .endNs = opNs + 500, .thread = thread, .name = name});
    }
    trace::emit(sink, trace::RegionRow{.frame = trace::FrameId{0},
                                       .attempt = trace::AttemptId{0},
                                       .segment = trace::SegmentId{0},
                                       .startNs = startNs + 900,
                                       .endNs = startNs + 50'000,
                                       .thread = thread});
    trace::emit(sink, trace::CallRow{.frame = trace::FrameId{0},
                                     .attempt = trace::AttemptId{0},
                                     .startNs = startNs,
                                     .endNs = startNs + 60'000,
                                     .thread = thread});
  }
  (*writer)->close();
}

TEST(ManyOps, AMillionOperatorsAreAllAttributed) {
  const tests::TemporaryFolder folder;
  writeLongRun(folder / "long.jitscope");
  const auto start = std::chrono::steady_clock::now();
  const trace::Result<analyzer::Run> run = loadRun(folder.path());
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  const auto took = std::chrono::steady_clock::now() - start;
  RecordProperty("load_and_analyze_ms", static_cast<int>(took / std::chrono::milliseconds(1)));
  EXPECT_EQ(run->opCount(), static_cast<size_t>(kCalls * kOpsPerCall));
  int64_t outermost = 0;
  for (const Call& call : run->calls) outermost += call.compiledOpCount;
  EXPECT_EQ(outermost, kCalls * kOpsPerCall / 2);
  ASSERT_EQ(run->lanes.size(), 2U);
  EXPECT_EQ(run->lanes[0].ops.size() + run->lanes[1].ops.size(), run->opCount());
  EXPECT_EQ(analysis.frames.front().compiled.count, kCalls);
}

}  // namespace
}  // namespace jitscope::analyzer
