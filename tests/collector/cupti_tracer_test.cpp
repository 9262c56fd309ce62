// The tracer from the start of CUDA to the end of the process, with a CUPTI that a test plays.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "collector/cupti/correlation.h"
#include "collector/cupti/traced_calls.h"
#include "collector/cupti/tracer.h"
#include "tests/collector/fake_cupti.h"
#include "tests/collector/shared_trace.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

class CuptiTracer : public testing::Test {
 protected:
  void SetUp() override { resetFakeCupti(); }

  /// Starts a tracer, which then lives as long as the test program.
  trace::Result<Tracer*> start(bool wantsGraphNodes = true, DriverApi driver = {}) {
    auto started = Tracer::start(fakeCuptiApi(), driver, sink,
                                 {.wantsGraphNodes = wantsGraphNodes,
                                  .traffic = CuptiTraffic::kOff,
                                  .onProfiler = onProfiler,
                                  .isWindowed = nullptr,
                                  .writeLaunched = nullptr},
                                 {});
    if (started) tracer = &tests::forEver(*started);
    return started;
  }

  trace::TraceFile finish() {
    tracer->finish();
    return sink.take();
  }

  tests::SharedTrace& sink = tests::forEver(new tests::SharedTrace);
  Tracer* tracer = nullptr;
  void (*onProfiler)(int isOn) = nullptr;
};

TEST_F(CuptiTracer, EnablesWhatIsWantedWhileCudaStarts) {
  ASSERT_TRUE(start());
  const FakeCupti& fake = fakeCupti();
  for (const int kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                         CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION}) {
    EXPECT_TRUE(fake.kinds.contains(kind)) << kind;
  }
  // Whole kinds would cost every cudaGetDevice a record; KERNEL would run kernels one by one.
  for (const int kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
                         CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_GRAPH_TRACE}) {
    EXPECT_FALSE(fake.kinds.contains(kind)) << kind;
  }
  EXPECT_EQ(fake.runtimeCalls.size(), tracedRuntimeCalls().size());
  EXPECT_EQ(fake.driverCalls.size(), tracedDriverCalls().size());
  EXPECT_FALSE(fake.resources.contains(CUPTI_CBID_RESOURCE_MODULE_PROFILED));
  EXPECT_NEAR(static_cast<double>(fake.clock()), static_cast<double>(trace::nowNs()), 1e9);
}

TEST_F(CuptiTracer, AsksForLaunchesOfGraphsInsteadOfTheirNodes) {
  ASSERT_TRUE(start(false));
  EXPECT_TRUE(fakeCupti().kinds.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
}

TEST_F(CuptiTracer, FollowsTheProfilerOfTheProgramWhereThatIsWanted) {
  static std::vector<int> turns;
  turns.clear();
  onProfiler = [](int isOn) { turns.push_back(isOn); };
  ASSERT_TRUE(start());
  fakeCupti().announceProfiler(true);
  fakeCupti().announceProfiler(false);
  EXPECT_EQ(turns, (std::vector<int>{1, 0}));
}

TEST_F(CuptiTracer, LeavesTheProfilerOfTheProgramAloneElse) {
  ASSERT_TRUE(start());
  EXPECT_TRUE(fakeCupti().followedCalls.empty());
}

TEST_F(CuptiTracer, NamesTheToolThatHasCupti) {
  fakeCupti().owner = "nsys";
  const auto started = start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().text, "CUPTI belongs to nsys, and only one tool at a time can have it");
  EXPECT_TRUE(fakeCupti().kinds.empty());
}

TEST_F(CuptiTracer, WritesRecordsWithoutBeingAskedSoThatAKilledProgramLosesLittle) {
  ASSERT_TRUE(start());
  fakeCupti().add(fakeKernel("k", 1, 2, 1));
  tests::waitUntil([&] { return sink.rowCount(trace::TableId::kKernel) > 0; });
  EXPECT_EQ(sink.rowCount(trace::TableId::kKernel), 1u);
}

TEST_F(CuptiTracer, WritesEverythingWhenItFinishesAndGoesOnAfterwards) {
  ASSERT_TRUE(start());
  for (uint32_t i = 1; i <= 5000; ++i) fakeCupti().add(fakeKernel("k", i, i + 1, i));
  EXPECT_EQ(finish().rowCount(trace::TableId::kKernel), 5000u);
  fakeCupti().add(fakeKernel("k", 9000, 9001, 9000));  // an exec that failed
  EXPECT_EQ(finish().rowCount(trace::TableId::kKernel), 1u);
}

TEST_F(CuptiTracer, UsesItsBuffersAgain) {
  ASSERT_TRUE(start());
  constexpr uint32_t kRounds = 50;
  for (uint32_t round = 0; round < kRounds; ++round) {
    for (uint32_t i = 1; i <= 1000; ++i) fakeCupti().add(fakeKernel("k", i, i + 1, i));
    tracer->finish();
  }
  const trace::TraceFile file = sink.take();
  EXPECT_EQ(file.rowCount(trace::TableId::kKernel), size_t{kRounds} * 1000);
  EXPECT_GE(fakeCupti().bufferRequests, 150);
  EXPECT_LE(fakeCupti().buffers.size(), 8u);  // four hold the records of a round
}

TEST_F(CuptiTracer, CountsWhatCuptiDropped) {
  ASSERT_TRUE(start());
  fakeCupti().dropped = 12;
  EXPECT_EQ(tests::lostWith(finish(), "records for which CUPTI had no memory"), 12);
}

TEST_F(CuptiTracer, GoesOnWithoutWhatCannotBeEnabled) {
  for (const char* function : {"cuptiActivityEnable", "cuptiEnableCallback", "cuptiSetThreadIdType",
                               "cuptiActivityRegisterTimestampCallback",
                               "cuptiActivityRegisterCallbacks", "cuptiActivityEnableRuntimeApi",
                               "cuptiActivityEnableDriverApi", "cuptiActivitySetAttribute"}) {
    resetFakeCupti();
    fakeCupti().fail(function, CUPTI_ERROR_OUT_OF_MEMORY);
    ASSERT_TRUE(start()) << function;
    const std::vector<std::string> losses = tests::lossTexts(finish());
    ASSERT_FALSE(losses.empty()) << function;
    EXPECT_TRUE(losses[0].ends_with(std::string(function) + ": CUPTI_ERROR_OUT_OF_MEMORY"))
        << losses[0];
  }
}

TEST_F(CuptiTracer, SurvivesAFlushThatFails) {
  ASSERT_TRUE(start());
  fakeCupti().fail("cuptiActivityFlushAll", CUPTI_ERROR_UNKNOWN);
  fakeCupti().add(fakeKernel("k", 1, 2, 1));
  EXPECT_EQ(finish().rowCount(trace::TableId::kKernel), 1u);
}

TEST_F(CuptiTracer, TellsTheTimeOfItsOwnThread) {
  ASSERT_TRUE(start());
  EXPECT_GT(tests::lostWith(finish(), "time of the GPU recorder's own thread"), 0);
}

TEST_F(CuptiTracer, LeavesAForkedChildAlone) {
  ASSERT_TRUE(start());
  const pid_t child = fork();
  if (child == 0) {
    tracer->finish();  // CUPTI's threads are not there; a flush would wait for ever
    _exit(fakeCupti().bufferRequests == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

std::vector<CUcontext> waitedFor;

TEST_F(CuptiTracer, WaitsForTheContextsThatAreLeft) {
  const DriverApi driver{[](CUcontext context) {
                           waitedFor.push_back(context);
                           return CUDA_SUCCESS;
                         },
                         [] { return CUDA_SUCCESS; }};
  ASSERT_TRUE(start(true, driver));
  auto* const one = reinterpret_cast<CUcontext>(0x10);
  auto* const two = reinterpret_cast<CUcontext>(0x20);
  fakeCupti().announceContext(one, true);
  fakeCupti().announceContext(two, true);
  fakeCupti().announceContext(one, false);
  finish();
  EXPECT_EQ(waitedFor, (std::vector<CUcontext>{two}));
}

TEST_F(CuptiTracer, DoesNotWaitForEverForAGpuThatHangs) {
  const DriverApi driver{[](CUcontext) { return CUDA_SUCCESS; },
                         [] {
                           pause();
                           return CUDA_SUCCESS;
                         }};
  ASSERT_TRUE(start(true, driver));
  fakeCupti().announceContext(reinterpret_cast<CUcontext>(0x10), true);
  fakeCupti().add(fakeKernel("k", 1, 2, 1));
  EXPECT_EQ(finish().rowCount(trace::TableId::kKernel), 1u);
}

constexpr uint64_t node(uint64_t graph, uint64_t index) { return graph << 32 | index; }

TEST_F(CuptiTracer, TellsWhereAReplayedNodeWasCaptured) {
  ASSERT_TRUE(start());
  const int64_t beforeNs = trace::nowNs();
  fakeCupti().announceNode(node(1, 0));
  fakeCupti().announceNode(node(1, 1));
  const int64_t afterNs = trace::nowNs();
  std::thread([] { fakeCupti().announceClone(node(2, 1), node(1, 1)); }).join();
  fakeCupti().announceClone(node(3, 0), node(2, 1));  // a clone of the clone
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::GraphNodeRow>();
  ASSERT_EQ(rows.size(), 2u);
  for (const trace::GraphNodeRow& row : rows) {
    EXPECT_EQ(row.thread, getpid());
    EXPECT_GE(row.timeNs, beforeNs);
    EXPECT_LE(row.timeNs, afterNs);
  }
  EXPECT_EQ(rows[0].node, static_cast<int64_t>(node(2, 1)));
  EXPECT_EQ(rows[1].node, static_cast<int64_t>(node(3, 0)));
}

TEST_F(CuptiTracer, KnowsNothingOfNodesWhoseGraphIsGoneOrWasNeverSeen) {
  ASSERT_TRUE(start());
  fakeCupti().announceNode(node(1, 0));
  fakeCupti().announceGraphEnd(1);
  fakeCupti().announceClone(node(2, 0), node(1, 0));
  fakeCupti().announceClone(node(4, 0), node(3, 0));
  EXPECT_EQ(finish().rowCount(trace::TableId::kGraphNode), 0u);
}

TEST_F(CuptiTracer, CountsNodesBeyondWhatItRemembers) {
  ASSERT_TRUE(start());
  fakeCupti().announceNode(node(1, 0xFFFFFFFF));
  EXPECT_EQ(tests::lostWith(finish(), "nodes of graphs, more than are remembered"), 1);
}

TEST(Cupti, IsRefusedWhenItIsOlderThanTheHeaders) {
  setenv("FAKE_CUPTI_VERSION", "28", 1);
  const auto opened = openCupti(FAKE_CUPTI);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().text, std::string(FAKE_CUPTI) +
                                     " is of version 28, jitscope was built for " +
                                     std::to_string(CUPTI_API_VERSION));
}

TEST(Cupti, IsRefusedWhenItIsNotThereOrAnotherLibrary) {
  EXPECT_NE(openCupti("/nowhere/libcupti.so").error().text.find("/nowhere/libcupti.so"),
            std::string::npos);
  EXPECT_EQ(openCupti("libm.so.6").error().text,
            "libm.so.6 has no cuptiGetVersion; CUDA 13.0 or newer is needed");
}

TEST(TracedCalls, HaveTheNameThatAPersonKnows) {
  EXPECT_EQ(plainCallName("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(plainCallName("cudaLaunchKernel_ptsz_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(plainCallName("cuLaunchKernel_ptsz"), "cuLaunchKernel");
  EXPECT_EQ(plainCallName("cuMemcpyHtoD_v2"), "cuMemcpyHtoD");
  EXPECT_EQ(plainCallName("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
  EXPECT_EQ(plainCallName("cuCtxSynchronize"), "cuCtxSynchronize");
}

TEST(CorrelationCounter, GoesOnWhereCuptiStartsAgain) {
  CorrelationCounter counter;
  EXPECT_EQ(counter.extend(0), trace::CorrelationId::kNone);
  EXPECT_EQ(counter.extend(5), trace::CorrelationId{5});
  EXPECT_EQ(counter.extend(3), trace::CorrelationId{3});
  EXPECT_EQ(counter.extend(0x7FFFFFFF), trace::CorrelationId{0x7FFFFFFF});
  EXPECT_EQ(counter.extend(0xFFFFFFFE), trace::CorrelationId{0xFFFFFFFE});
  EXPECT_EQ(counter.extend(2), trace::CorrelationId{(int64_t{1} << 32) + 2});
  EXPECT_EQ(counter.extend(0xFFFFFFFF), trace::CorrelationId{0xFFFFFFFF});  // late
  EXPECT_EQ(counter.extend(3), trace::CorrelationId{(int64_t{1} << 32) + 3});
}

TEST(ActivityBuffers, RefuseBeyondTheirLimitAndServeAgain) {
  ActivityBuffers buffers(2 * ActivityBuffers::kBufferBytes);
  uint8_t* const first = buffers.handOut();
  uint8_t* const second = buffers.handOut();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(buffers.handOut(), nullptr);
  first[0] = 1;
  buffers.takeBack(first, 1);
  const auto filled = buffers.next(0);
  ASSERT_TRUE(filled);
  EXPECT_FALSE(buffers.waitUntilIdle(0));
  buffers.recycle(*filled);
  EXPECT_TRUE(buffers.waitUntilIdle(0));
  EXPECT_EQ(buffers.handOut(), first);
  EXPECT_EQ(first[0], 0);  // as it must be before CUPTI writes into it
}

}  // namespace
}  // namespace jitscope::collector
