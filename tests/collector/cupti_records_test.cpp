// What becomes of CUPTI's records.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "collector/cupti/record_decoder.h"
#include "tests/collector/fake_cupti.h"
#include "trace/memory_trace.h"

namespace jitscope::collector {
namespace {

/// Records, one after the other in a buffer, as they are decoded.
class CuptiRecords : public testing::Test {
 protected:
  template <class Record>
  void decode(const Record& record) {
    std::vector<uint8_t> bytes(sizeof record);
    std::memcpy(bytes.data(), &record, sizeof record);
    decoder_.decode({bytes.data(), bytes.size()});
  }

  trace::TraceFile finish() {
    decoder_.losses().write(trace_);
    decoder_.losses().writeOverhead(trace_);
    return std::move(trace_).finish("fake", {}, true);
  }

  /// "KIND TEXT AMOUNT" of each loss.
  static std::vector<std::string> lossesOf(const trace::TraceFile& file) {
    std::vector<std::string> losses;
    for (const trace::LossRow& row : file.rows<trace::LossRow>()) {
      losses.push_back(std::to_string(static_cast<int64_t>(row.kind)) + ' ' +
                       std::string(file.text(row.text)) + ' ' + std::to_string(row.amount));
    }
    return losses;
  }

 private:
  CuptiApi api_ = fakeCuptiApi();
  trace::MemoryTrace trace_;
  RecordDecoder decoder_{api_, trace_};
};

TEST_F(CuptiRecords, OfKernelsKeepTimesPlaceNameAndLaunch) {
  CUpti_ActivityKernel10 kernel = fakeKernel("_Z4gemmPfi", 1000, 2500, 17);
  kernel.deviceId = 1;
  kernel.dynamicSharedMemory = 512;
  decode(kernel);
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::KernelRow>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].startNs, 1000);
  EXPECT_EQ(rows[0].endNs, 2500);
  EXPECT_EQ(rows[0].device, 1);
  EXPECT_EQ(rows[0].context, 1);
  EXPECT_EQ(rows[0].stream, 7);
  EXPECT_EQ(rows[0].correlation, trace::CorrelationId{17});
  EXPECT_EQ(rows[0].origin, trace::Origin::kUnknown);
  EXPECT_EQ(file.text(rows[0].name), "gemm(float*, int)");
  EXPECT_EQ(file.text(rows[0].launch), "grid 4x1x1 block 256x1x1 shared 0+512 registers 32");
}

TEST_F(CuptiRecords, OfKernelsKeepNamesThatAreNotMangled) {
  decode(fakeKernel("f", 1000, 2500, 17));  // mangled, it would be a float
  const trace::TraceFile file = finish();
  EXPECT_EQ(file.text(file.rows<trace::KernelRow>()[0].name), "f");
}

TEST_F(CuptiRecords, OfReplayedKernelsNameTheirNode) {
  CUpti_ActivityKernel10 kernel = fakeKernel("k", 1000, 2000, 17);
  kernel.graphNodeId = uint64_t{3} << 32 | 5;
  decode(kernel);
  const auto rows = finish().rows<trace::KernelRow>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].origin, trace::Origin::kReplay);
  EXPECT_EQ(rows[0].graphNode, int64_t{3} << 32 | 5);
}

TEST_F(CuptiRecords, MayOverlapAndComeOutOfOrder) {
  decode(fakeKernel("late", 3000, 5000, 3));
  decode(fakeKernel("early", 1000, 4000, 2));  // starts before the other has ended
  const auto rows = finish().rows<trace::KernelRow>();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].startNs, 1000);
  EXPECT_EQ(rows[1].correlation, trace::CorrelationId{2});
}

TEST_F(CuptiRecords, WithTimesThatCannotBeRightAreCounted) {
  decode(fakeKernel("no time", 0, 0, 1));
  decode(fakeKernel("no time", 0, 0, 2));
  decode(fakeKernel("still running", 1000, 0, 3));
  decode(fakeKernel("backwards", 1000, 900, 4));
  decode(fakeKernel("in no time at all", 1000, 1000, 5));
  const trace::TraceFile file = finish();
  EXPECT_EQ(file.rowCount(trace::TableId::kKernel), 1u);
  EXPECT_EQ(lossesOf(file),
            (std::vector<std::string>{"1 records for which the GPU gave no time 2",
                                      "1 records that end before they start 1",
                                      "1 work that had not ended when the program did 1"}));
}

TEST_F(CuptiRecords, OfKindsThatAreNotKnownAreCounted) {
  CUpti_ActivityMarker2 marker{};
  marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
  decode(marker);
  EXPECT_EQ(lossesOf(finish()),
            (std::vector<std::string>{"2 records of a kind that is not known 1"}));
}

TEST_F(CuptiRecords, OfANameWhosePointerIsUsedAgainKeepBothNames) {
  char name[] = "first";
  decode(fakeKernel(name, 1, 2, 1));
  std::strcpy(name, "other");
  decode(fakeKernel(name, 3, 4, 2));
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::KernelRow>();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(file.text(rows[0].name), "first");
  EXPECT_EQ(file.text(rows[1].name), "other");
}

TEST_F(CuptiRecords, OfCopiesSayFromWhereToWhere) {
  struct Case {
    CUpti_ActivityMemcpyKind kind;
    trace::CopyKind copied;
  };
  constexpr Case kCases[] = {{CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, trace::CopyKind::kHostToDevice},
                             {CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, trace::CopyKind::kDeviceToHost},
                             {CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, trace::CopyKind::kDeviceToDevice},
                             {CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, trace::CopyKind::kHostToHost},
                             {CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN, trace::CopyKind::kUnknown}};
  for (const Case& each : kCases) {
    CUpti_ActivityMemcpy6 copy{};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.copyKind = static_cast<uint8_t>(each.kind);
    copy.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    copy.bytes = 4096;
    copy.start = 1;
    copy.end = 2;
    decode(copy);
  }
  CUpti_ActivityMemcpyPtoP4 peer{};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.start = 1;
  peer.end = 2;
  peer.dstDeviceId = 1;
  decode(peer);
  const auto rows = finish().rows<trace::MemcpyRow>();
  ASSERT_EQ(rows.size(), std::size(kCases) + 1);
  for (size_t i = 0; i < std::size(kCases); ++i) {
    EXPECT_EQ(rows[i].kind, kCases[i].copied);
    EXPECT_EQ(rows[i].bytes, 4096);
    EXPECT_EQ(rows[i].isAsync, 1);
  }
  EXPECT_EQ(rows.back().kind, trace::CopyKind::kPeer);
  EXPECT_EQ(rows.back().peerDevice, 1);
}

TEST_F(CuptiRecords, OfCallsHaveThePlainNameTheThreadAndTheStatus) {
  CUpti_ActivityAPI call =
      fakeCall(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, 10, 20, 17, uint32_t(getpid()));
  call.returnValue = 700;
  decode(call);
  decode(fakeCall(9999, 30, 40, 18, uint32_t(getpid())));
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::ApiRow>();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(file.text(rows[0].name), "cudaLaunchKernel");
  EXPECT_EQ(rows[0].thread, getpid());
  EXPECT_EQ(rows[0].status, 700);
  EXPECT_EQ(rows[0].isDriver, 0);
  EXPECT_EQ(file.text(rows[1].name), "runtime call 9999");
  const auto threads = file.rows<trace::ThreadRow>();
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads[0].thread, getpid());
  EXPECT_NE(file.text(threads[0].name), "");
}

TEST_F(CuptiRecords, OfWaitsSayForWhatAndOnWhichDevice) {
  CUpti_ActivityKernel10 kernel = fakeKernel("k", 1, 2, 1);
  kernel.contextId = 5;
  kernel.deviceId = 3;
  decode(kernel);
  CUpti_ActivitySynchronization2 wait{};
  wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  wait.start = 3;
  wait.end = 9;
  wait.contextId = 5;
  wait.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  decode(wait);
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::SyncRow>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(file.text(rows[0].kind), "context");
  EXPECT_EQ(rows[0].device, 3);
  EXPECT_EQ(rows[0].stream, -1);
}

TEST_F(CuptiRecords, OfDevicesWaitUntilThereIsSomethingToTell) {
  CUpti_ActivityDevice5 device{};
  device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  device.name = "NVIDIA H200";
  device.globalMemorySize = uint64_t{141} << 30;
  device.globalMemoryBandwidth = 4'800'000'000;
  device.numMultiprocessors = 132;
  device.computeCapabilityMajor = 9;
  device.uuid.bytes[0] = '\x12';
  decode(device);
  decode(fakeKernel("k", 1, 2, 1));
  decode(fakeKernel("k", 3, 4, 2));
  const trace::TraceFile file = finish();
  const auto rows = file.rows<trace::DeviceRow>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(file.text(rows[0].name), "NVIDIA H200");
  EXPECT_EQ(file.text(rows[0].uuid), "GPU-12000000-0000-0000-0000-000000000000");
  EXPECT_EQ(rows[0].multiprocessors, 132);
  EXPECT_EQ(rows[0].peakBytesPerSecond, 4.8e12);
}

TEST_F(CuptiRecords, OfDevicesAloneLeaveNothing) {
  CUpti_ActivityDevice5 device{};
  device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  decode(device);
  const trace::TraceFile file = finish();
  EXPECT_EQ(file.rowCount(trace::TableId::kDevice), 0u);
  EXPECT_EQ(file.stringCount(), 1u);  // a text would open the file of the recording
}

TEST_F(CuptiRecords, OfItsOwnOverheadAddUpAndTheProgramsOwnDoesNot) {
  CUpti_ActivityOverhead3 overhead{};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  overhead.start = 100;
  overhead.end = 130;
  decode(overhead);
  decode(overhead);
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING;
  decode(overhead);
  EXPECT_EQ(lossesOf(finish()), (std::vector<std::string>{"3 CUPTI flushing its buffers 60"}));
}

TEST_F(CuptiRecords, OfGraphLaunchesAreLaunchesWhereNodesAreNotWanted) {
  CUpti_ActivityGraphTrace2 launch{};
  launch.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
  launch.start = 5;
  launch.end = 50;
  launch.graphId = 9;
  launch.correlationId = 3;
  decode(launch);
  const auto rows = finish().rows<trace::GraphLaunchRow>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].graph, 9);
  EXPECT_EQ(rows[0].correlation, trace::CorrelationId{3});
}

}  // namespace
}  // namespace jitscope::collector
