// The counting of each kernel's bytes, with a range profiler that a test plays.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "collector/cupti/exact_traffic.h"
#include "tests/collector/fake_cupti.h"
#include "tests/collector/fake_ranges.h"
#include "tests/collector/shared_trace.h"

namespace jitscope::collector {
namespace {

using Texts = std::vector<std::string>;

CUcontext contextOf(uintptr_t number) { return reinterpret_cast<CUcontext>(number); }
const CUcontext kContext = contextOf(1);

CUcontext programsContext = nullptr;  ///< of its thread
CUresult setCurrent(CUcontext context) {
  programsContext = context;
  return CUDA_SUCCESS;
}
CUresult getCurrent(CUcontext* context) {
  *context = programsContext;
  return CUDA_SUCCESS;
}
CUresult isCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  *status = stream == reinterpret_cast<CUstream>(uintptr_t{7}) ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                                               : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

class ExactTrafficTest : public testing::Test {
 protected:
  void SetUp() override {
    resetFakeCupti();
    resetFakeRanges();
  }

  /// Starts to count, in a program with one context.
  void start() {
    const auto started = ExactTraffic::start(
        {fakeCuptiApi(),
         fakeProfilerApi(),
         fakeRangeApi(),
         {.setCurrent = setCurrent, .isCapturing = isCapturing, .getCurrent = getCurrent}},
        sink);
    ASSERT_TRUE(started) << started.error().text;
    traffic = &tests::forEver(*started);
    fakeCupti().announceContext(kContext, true);
  }

  trace::TraceFile finish() {
    traffic->quiet();
    return sink.take();
  }

  /// "NAME grid N: READ+WRITTEN" of each row.
  static Texts kernelsOf(const trace::TraceFile& file) {
    Texts texts;
    for (const trace::KernelRow& row : file.rows<trace::KernelRow>()) {
      std::string launch(file.text(row.launch));
      launch.resize(launch.find('x'));
      texts.push_back(std::string(file.text(row.name)) + ' ' + launch + ": " +
                      std::to_string(row.bytesRead) + '+' + std::to_string(row.bytesWritten));
    }
    return texts;
  }

  tests::SharedTrace& sink = tests::forEver(new tests::SharedTrace);
  ExactTraffic* traffic = nullptr;
};

TEST_F(ExactTrafficTest, IsThatOfEachKernelInTheOrderOfTheLaunches) {
  start();
  fakeRanges().launch(
      {.context = kContext, .kernel = "_Z3addPf", .grid = 4, .read = 100, .written = 50});
  fakeRanges().launchWithConfig(
      {.context = kContext, .kernel = "triton_fused", .grid = 9, .read = 7, .written = 8});
  const trace::TraceFile file = finish();
  EXPECT_EQ(kernelsOf(file), (Texts{"add(float*) grid 4: 100+50", "triton_fused grid 9: 7+8"}));
  EXPECT_EQ(file.text(file.rows<trace::KernelRow>()[0].launch), "grid 4x1x1 block 256x1x1");
  EXPECT_EQ(file.rows<trace::KernelRow>()[1].correlation, static_cast<trace::CorrelationId>(2));
  EXPECT_TRUE(tests::lossTexts(file).empty());
  EXPECT_EQ(fakeRanges().metrics, (Texts{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
  EXPECT_TRUE(fakeRanges().counters[0].isDisabled);
  EXPECT_TRUE(fakeCupti().kinds.empty());  // no records beside it
}

TEST_F(ExactTrafficTest, OfMoreKernelsThanThereIsPlaceForIsReadInBetween) {
  start();
  for (size_t i = 0; i < 2 * RangeCounter::kMostRanges + 5; ++i) {
    fakeRanges().launch({.context = kContext, .kernel = "k", .read = static_cast<double>(i)});
  }
  const auto rows = finish().rows<trace::KernelRow>();
  ASSERT_EQ(rows.size(), 2 * RangeCounter::kMostRanges + 5);
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].bytesRead, static_cast<int64_t>(i));
  EXPECT_EQ(fakeRanges().counters[0].starts, 3);
}

TEST_F(ExactTrafficTest, LeavesGraphsOutAndKeepsTheOrderAroundThem) {
  start();
  fakeRanges().launch({.context = kContext, .kernel = "before", .read = 1});
  fakeRanges().launch({.context = kContext, .kernel = "captured", .read = 99, .runs = false});
  fakeRanges().launchGraph(kContext, 3);
  fakeRanges().launch({.context = kContext, .kernel = "after", .read = 2});
  EXPECT_EQ(kernelsOf(finish()), (Texts{"before grid 1: 1+0", "after grid 1: 2+0"}));
}

TEST_F(ExactTrafficTest, LeavesOutALaunchThatTheDriverRefused) {
  start();
  fakeRanges().launch({.context = kContext, .kernel = "a", .result = CUDA_ERROR_INVALID_VALUE});
  fakeRanges().launch({.context = kContext, .kernel = "b", .read = 5});
  EXPECT_EQ(kernelsOf(finish()), (Texts{"b grid 1: 5+0"}));
}

TEST_F(ExactTrafficTest, IsUnknownWhereThereWereOtherKernelsThanLaunches) {
  start();
  fakeRanges().launch({.context = kContext, .kernel = "a", .read = 1});
  fakeRanges().run(kContext, 3, 3);
  fakeRanges().launchGraph(kContext, 1);  // what comes after is counted anew
  fakeRanges().launch({.context = kContext, .kernel = "b", .read = 2});
  EXPECT_EQ(kernelsOf(finish()), (Texts{"a grid 1: -1+-1", "b grid 1: 2+0"}));
}

TEST_F(ExactTrafficTest, IsUnknownWhereCuptiLosesARange) {
  start();
  fakeRanges().losesRanges = true;
  fakeRanges().launch({.context = kContext, .kernel = "a", .read = 1});
  EXPECT_EQ(kernelsOf(finish()), (Texts{"a grid 1: -1+-1"}));
}

TEST_F(ExactTrafficTest, OfSeveralDevicesIsCountedForEach) {
  start();
  const CUcontext other = contextOf(2);
  fakeCupti().device = 1;
  fakeCupti().announceContext(other, true);
  fakeRanges().launch({.context = kContext, .kernel = "a", .read = 1});
  fakeRanges().launch({.context = other, .kernel = "b", .read = 2});
  fakeCupti().announceContext(other, false);
  fakeRanges().launch({.context = kContext, .kernel = "c", .read = 3});
  const trace::TraceFile file = finish();
  EXPECT_EQ(kernelsOf(file), (Texts{"b grid 1: 2+0", "a grid 1: 1+0", "c grid 1: 3+0"}));
  EXPECT_EQ(file.rows<trace::KernelRow>()[0].device, 1);
  EXPECT_EQ(fakeRanges().initialized, 1);
}

TEST_F(ExactTrafficTest, OfManyThreadsIsThatOfTheKernelAllTheSame) {
  start();
  std::vector<std::thread> threads;
  for (uint32_t thread = 1; thread <= 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 300; ++i) {
        fakeRanges().launch({.context = kContext,
                             .kernel = "k",
                             .grid = thread,
                             .read = static_cast<double>(thread)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::KernelRow>();
  EXPECT_EQ(rows.size(), 1200U);
  for (const trace::KernelRow& row : rows) {
    const std::string launch(file.text(row.launch));
    EXPECT_EQ(launch, "grid " + std::to_string(row.bytesRead) + "x1x1 block 256x1x1");
  }
}

TEST_F(ExactTrafficTest, SaysWhyItIsNotKnownWhicheverCallIsRefused) {
  for (const char* function :
       {"cuptiProfilerInitialize", "cuptiDeviceGetChipName", "cuptiProfilerGetCounterAvailability",
        "cuptiRangeProfilerEnable", "cuptiRangeProfilerGetCounterDataSize",
        "cuptiRangeProfilerCounterDataImageInitialize", "cuptiRangeProfilerSetConfig",
        "cuptiRangeProfilerStart", "cuptiRangeProfilerStop", "cuptiRangeProfilerDecodeData",
        "cuptiRangeProfilerGetCounterDataInfo"}) {
    SetUp();
    fakeRanges().failures[function] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    start();
    fakeRanges().launch({.context = kContext, .kernel = "a", .read = 1});
    const trace::TraceFile file = finish();
    EXPECT_EQ(tests::lossTexts(file),
              (Texts{"kernels are not counted: only the administrator may read the GPU's counters; "
                     "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as root"}))
        << function;
    for (const trace::KernelRow& row : file.rows<trace::KernelRow>())
      EXPECT_EQ(row.bytesRead, -1) << function;
  }
}

TEST_F(ExactTrafficTest, SaysWhichCallOfThePreparationFailed) {
  for (const char* function :
       {"cuptiProfilerHostInitialize", "cuptiProfilerHostConfigAddMetrics",
        "cuptiProfilerHostGetConfigImageSize", "cuptiProfilerHostGetConfigImage",
        "cuptiProfilerHostGetNumOfPasses"}) {
    SetUp();
    fakeRanges().failures[function] = CUPTI_ERROR_UNKNOWN;
    start();
    EXPECT_EQ(
        tests::lossTexts(finish()),
        (Texts{"kernels are not counted: " + std::string(function) + " answers 999 for GH100"}));
  }
}

TEST_F(ExactTrafficTest, DoesNotNeedARangeAroundAllNorItsOwnEnd) {
  for (const char* function :
       {"cuptiRangeProfilerPushRange", "cuptiRangeProfilerPopRange", "cuptiRangeProfilerDisable"}) {
    SetUp();
    fakeRanges().failures[function] = CUPTI_ERROR_INVALID_OPERATION;
    start();
    fakeRanges().launch({.context = kContext, .kernel = "a", .read = 1});
    const trace::TraceFile file = finish();
    EXPECT_EQ(kernelsOf(file), (Texts{"a grid 1: 1+0"})) << function;
    EXPECT_TRUE(tests::lossTexts(file).empty()) << function;
  }
}

TEST_F(ExactTrafficTest, IsUnknownOfAKernelThatCannotBeEvaluated) {
  fakeRanges().failures["cuptiProfilerHostEvaluateToGpuValues"] = CUPTI_ERROR_UNKNOWN;
  start();
  fakeRanges().launch({.context = kContext, .kernel = "a", .read = 1});
  EXPECT_EQ(kernelsOf(finish()), (Texts{"a grid 1: -1+-1"}));
}

TEST_F(ExactTrafficTest, IsNotCountedInSeveralPasses) {
  fakeRanges().passes = 2;
  start();
  EXPECT_EQ(tests::lossTexts(finish()),
            (Texts{"kernels are not counted: GH100 would need 2 passes to count them"}));
}

TEST_F(ExactTrafficTest, IsNotHadWhereAnotherToolHasCupti) {
  fakeCupti().owner = "nsys";
  const auto started =
      ExactTraffic::start({fakeCuptiApi(), fakeProfilerApi(), fakeRangeApi(), {}}, sink);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().text, "CUPTI belongs to nsys, and only one tool at a time can have it");
}

TEST_F(ExactTrafficTest, SaysWhenItCannotFollowTheProgram) {
  fakeCupti().fail("cuptiEnableCallback", CUPTI_ERROR_OUT_OF_MEMORY);
  start();
  EXPECT_EQ(tests::lossTexts(finish()).front(),
            "kernels are not counted: cuptiEnableCallback: CUPTI_ERROR_OUT_OF_MEMORY");
  SetUp();
  fakeCupti().fail("cuptiGetDeviceId", CUPTI_ERROR_OUT_OF_MEMORY);
  start();
  EXPECT_EQ(tests::lossTexts(finish()).front(),
            "kernels are not counted: cuptiGetDeviceId: CUPTI_ERROR_OUT_OF_MEMORY");
}

TEST_F(ExactTrafficTest, LeavesItsContextToTheThreadThatEnds) {
  start();
  fakeRanges().launch({.context = kContext, .kernel = "k", .read = 1});
  for (const CUcontext programs : {contextOf(5), CUcontext{}}) {
    programsContext = programs;
    traffic->quiet();
    EXPECT_EQ(programsContext, programs);
  }
}

TEST_F(ExactTrafficTest, IsNotCountedAfterTheEnd) {
  start();
  traffic->quiet();
  fakeRanges().launch({.context = kContext, .kernel = "late", .read = 1});
  EXPECT_TRUE(kernelsOf(finish()).empty());
}

}  // namespace
}  // namespace jitscope::collector
