// The sampling of a GPU's counters, with counters that a test plays.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collector/cupti/counter_refusal.h"
#include "collector/cupti/traffic_samplers.h"
#include "tests/collector/shared_trace.h"

namespace jitscope::collector {
namespace {

constexpr int64_t kInterval = 100;

CounterSample sample(int64_t startNs, double read, double written) {
  return {.startNs = startNs, .endNs = startNs + kInterval, .values = {read, written}};
}

/// What a source was asked for and what it is to answer.
struct Script {
  std::string refusal;
  std::vector<CounterBatch> batches;  ///< one for each reading
  CounterBatch last;
  std::mutex mutex;
  std::vector<uint32_t> started;
  int stopped = 0;
};

class PlayedSource final : public CounterSource {
 public:
  explicit PlayedSource(Script& script) : script_(script) {}
  trace::Result<std::vector<std::string>> start(uint32_t device) override {
    const std::lock_guard lock(script_.mutex);
    script_.started.push_back(device);
    if (!script_.refusal.empty()) return trace::Error{script_.refusal};
    return std::vector<std::string>{"dram_read_bytes", "dram_write_bytes"};
  }
  CounterBatch read() override {
    const std::lock_guard lock(script_.mutex);
    if (next_ == script_.batches.size()) return {};
    return script_.batches[next_++];
  }
  CounterBatch stop() override {
    const std::lock_guard lock(script_.mutex);
    ++script_.stopped;
    return script_.last;
  }
  int64_t intervalNs() const override { return kInterval; }

 private:
  Script& script_;
  size_t next_ = 0;
};

/// "START..END METRIC VALUE" of each row.
std::vector<std::string> countersOf(const trace::TraceFile& file) {
  std::vector<std::string> rows;
  for (const trace::CounterRow& row : file.rows<trace::CounterRow>()) {
    rows.push_back(std::to_string(row.startNs) + ".." + std::to_string(row.endNs) + ' ' +
                   std::string(file.text(row.metric)) + ' ' +
                   std::to_string(static_cast<int64_t>(row.value)));
  }
  return rows;
}

class Samples : public testing::Test {
 protected:
  trace::TraceFile take(const std::vector<CounterSample>& samples, bool isCut = false) {
    SampleRows rows(sink, 3, {"read"}, kInterval);
    rows.take({.samples = samples, .isCut = isCut, .fault = {}});
    rows.finish();
    return sink.take();
  }

  tests::SharedTrace sink;
};

TEST_F(Samples, LeaveTheFirstOut) {
  const trace::TraceFile file = take({sample(100, 7, 0), sample(200, 8, 0), sample(300, 9, 0)});
  EXPECT_EQ(countersOf(file), (std::vector<std::string>{"200..300 read 8", "300..400 read 9"}));
  EXPECT_EQ(file.rows<trace::CounterRow>()[0].device, 3);
  EXPECT_EQ(file.rowCount(trace::TableId::kLoss), 0u);
}

TEST_F(Samples, CountTheOnesThatAreMissing) {
  const trace::TraceFile file = take({sample(100, 1, 0), sample(200, 1, 0), sample(600, 1, 0)});
  EXPECT_EQ(tests::lostWith(file, "samples of the GPU's counters"), 3);
}

TEST_F(Samples, ToleratesEdgesThatDoNotQuiteMeet) {
  const trace::TraceFile file = take({sample(100, 1, 0), sample(203, 1, 0), sample(301, 1, 0)});
  EXPECT_EQ(file.rowCount(trace::TableId::kLoss), 0u);
}

TEST_F(Samples, WithoutAnythingAreJoined) {
  const trace::TraceFile file = take({sample(100, 1, 0), sample(200, 0, 0), sample(300, 0, 0),
                                      sample(400, 0, 0), sample(500, 5, 0), sample(600, 0, 0)});
  EXPECT_EQ(countersOf(file),
            (std::vector<std::string>{"200..500 read 0", "500..600 read 5", "600..700 read 0"}));
}

TEST_F(Samples, ThatEndBeforeTheyStartAreLeftOut) {
  CounterSample broken = sample(200, 1, 0);
  broken.endNs = 150;
  EXPECT_EQ(countersOf(take({sample(100, 1, 0), broken, sample(200, 2, 0)})),
            (std::vector<std::string>{"200..300 read 2"}));
}

TEST_F(Samples, SayWhenThereWasNoPlaceForAll) {
  const trace::TraceFile file = take({sample(100, 1, 0)}, true);
  EXPECT_EQ(tests::lostWith(file, "readings of the GPU's counters without place for all"), 1);
}

class Sampling : public testing::Test {
 protected:
  std::unique_ptr<CounterSource> source() { return std::make_unique<PlayedSource>(script); }

  TrafficSampler* start() { return &tests::forEver(TrafficSampler::start(source(), sink, 0)); }

  // Samplers live until the process ends.
  Script& script = tests::forEver(new Script);
  tests::SharedTrace& sink = tests::forEver(new tests::SharedTrace);
};

TEST_F(Sampling, WritesWhatWasReadAndTheRestWhenItStops) {
  script.batches = {{.samples = {sample(0, 0, 0), sample(100, 10, 20)}}};
  script.last = {.samples = {sample(200, 30, 0)}};
  TrafficSampler* sampler = start();
  tests::waitUntil([&] { return sink.rowCount(trace::TableId::kCounter) == 2; });
  sampler->stop();
  sampler->stop();
  EXPECT_EQ(script.stopped, 1);
  EXPECT_EQ(
      countersOf(sink.take()),
      (std::vector<std::string>{"100..200 dram_read_bytes 10", "100..200 dram_write_bytes 20",
                                "200..300 dram_read_bytes 30", "200..300 dram_write_bytes 0"}));
}

TEST_F(Sampling, SaysWhyItCannotBegin) {
  script.refusal = describeRefusal(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  start()->stop();
  EXPECT_EQ(
      tests::lossTexts(sink.take()),
      (std::vector<std::string>{
          "memory traffic is not sampled: only the administrator may read the GPU's counters; "
          "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as root"}));
  EXPECT_EQ(script.stopped, 1);
}

TEST_F(Sampling, EndsWithAFaultAndSaysSo) {
  script.batches = {{.samples = {sample(0, 0, 0), sample(100, 1, 1)}},
                    {.samples = {}, .fault = "gone"}};
  TrafficSampler* sampler = start();
  tests::waitUntil([&] { return sink.rowCount(trace::TableId::kLoss) == 1; });
  sampler->stop();
  EXPECT_EQ(tests::lossTexts(sink.take()),
            (std::vector<std::string>{"memory traffic is sampled no more: gone"}));
}

TEST_F(Sampling, IsOneForEachDeviceAndNoneAfterTheEnd) {
  Script& played = script;  // the test may be gone when it is asked for
  TrafficSamplers& samplers = tests::forEver(
      new TrafficSamplers(sink, [&played] { return std::make_unique<PlayedSource>(played); }));
  samplers.use(0);
  samplers.use(1);
  samplers.use(0);
  samplers.stop();
  samplers.use(2);
  std::sort(script.started.begin(), script.started.end());
  EXPECT_EQ(script.started, (std::vector<uint32_t>{0, 1}));
}

TEST_F(Sampling, IsNoneWhereItIsNotWanted) {
  TrafficSamplers samplers(sink, {});
  samplers.use(0);
  samplers.stop();
  EXPECT_TRUE(script.started.empty());
}

TEST(Refusals, NameTheRemedyWhereThereIsOne) {
  EXPECT_NE(describeRefusal(CUPTI_ERROR_HARDWARE_BUSY).find("dcgmi profile --pause"),
            std::string::npos);
  EXPECT_NE(describeRefusal(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED).find("host"),
            std::string::npos);
  EXPECT_EQ(describeRefusal(CUPTI_ERROR_UNKNOWN), "CUPTI answers 999");
}

}  // namespace
}  // namespace jitscope::collector
