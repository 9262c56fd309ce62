#include "tests/gui/synthetic_recording.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "trace/writer.h"

namespace jitscope::gui {
namespace {

using trace::AttemptId;
using trace::FrameId;
using trace::SegmentId;

constexpr int64_t kStartNs = 1'700'000'000'000'000'000;
constexpr int64_t kThread = 4711;
constexpr int64_t kStepGapNs = 180'000;
constexpr FrameId kFrame{0};

struct Operator {
  const char* name;
  int64_t durationNs;
  bool isFused;  ///< one kernel together with its neighbours when compiled
};

/// One layer of a decoder: norm, attention, norm, gated MLP.
constexpr Operator kLayer[] = {
    {"aten::pow", 11'000, true}, {"aten::mean", 9'400, true},
    {"aten::add", 2'800, true},  {"aten::rsqrt", 2'600, true},
    {"aten::mul", 11'400, true}, {"aten::mul", 11'200, true},
    {"aten::mm", 38'000, false}, {"aten::scaled_dot_product_attention", 29'000, false},
    {"aten::mm", 31'000, false}, {"aten::add", 5'800, true},
    {"aten::mm", 44'000, false}, {"aten::silu", 10'100, true},
    {"aten::mul", 9'900, true},  {"aten::mm", 36'000, false},
};

class Recorder {
 public:
  Recorder(trace::FileWriter& writer, const SyntheticRecording& wanted)
      : writer_(writer), wanted_(wanted) {}

  void record() {
    recordProcess();
    for (int step = 0; step < wanted_.eagerSteps; ++step) eagerStep();
    for (int step = 0; step < wanted_.compiledSteps; ++step) compiledStep(step);
    if (wanted_.hasGpu) recordTraffic();
  }

 private:
  trace::StringId text(const std::string& value) { return writer_.intern(value); }
  int64_t jittered(int64_t ns) { return ns * (90 + static_cast<int64_t>(random_() % 25)) / 100; }

  void recordProcess() {
    trace::emit(writer_, trace::ProcessRow{.pid = 4711,
                                           .startNs = kStartNs,
                                           .commandLine = text("./decode_service"),
                                           .torchVersion = text("2.11.0")});
    trace::emit(writer_, trace::ThreadRow{.thread = kThread, .name = text("main")});
    trace::emit(writer_, trace::FrameRow{.frame = kFrame,
                                         .timeNs = kStartNs,
                                         .name = text("decodeStep"),
                                         .file = text("/src/decode_service.cpp"),
                                         .line = 88,
                                         .backend = text("eager")});
    trace::emit(writer_, trace::ArtifactRow{
                             .frame = kFrame,
                             .attempt = AttemptId{0},
                             .segment = SegmentId{0},
                             .timeNs = kStartNs,
                             .kind = text("graph_code"),
                             .name = text("graph_0_0"),
                             .content = text("def forward(self, L_x_ : Tensor, L_w_ : Tensor):\n"
                                             "    pow_1 = l_x_ ** 2\n"
                                             "    mean = pow_1.mean(-1, True)\n"
                                             "    rsqrt = torch.rsqrt(mean)\n"
                                             "    return (rsqrt,)")});
    if (!wanted_.hasGpu) return;
    trace::emit(
        writer_,
        trace::DeviceRow{.device = 0, .name = text("NVIDIA H200"), .peakBytesPerSecond = 4.8e12});
  }

  /// One operator with one nested in it, and the kernel that it starts.
  void runOperator(const Operator& op, trace::Origin origin) {
    const int64_t durationNs = jittered(
        origin == trace::Origin::kCompiled && op.isFused ? op.durationNs * 6 / 10 : op.durationNs);
    const int64_t endNs = nowNs_ + durationNs;
    trace::emit(writer_, trace::OpRow{.startNs = nowNs_,
                                      .endNs = endNs,
                                      .thread = kThread,
                                      .depth = 0,
                                      .name = text(op.name),
                                      .shapes = text("[16, 4096]")});
    trace::emit(writer_, trace::OpRow{.startNs = nowNs_ + durationNs / 8,
                                      .endNs = endNs - durationNs / 8,
                                      .thread = kThread,
                                      .depth = 1,
                                      .name = text("aten::empty"),
                                      .shapes = text("[]")});
    if (wanted_.hasGpu) runKernel(op, origin, durationNs);
    nowNs_ = endNs + jittered(700);
  }

  void runKernel(const Operator& op, trace::Origin origin, int64_t durationNs) {
    const std::string name = op.isFused ? origin == trace::Origin::kCompiled
                                              ? "per_fused_add_mean_mul_pow_rsqrt_0"
                                              : std::string("elementwise_") + (op.name + 6)
                                        : "nvjet_tst_128x256_64x4_h_bz_coopA_TNN";
    const int64_t startNs = std::max(deviceNs_, nowNs_ + 6'000);
    deviceNs_ = startNs + durationNs * 8 / 10;
    trace::emit(writer_, trace::KernelRow{.startNs = startNs,
                                          .endNs = deviceNs_,
                                          .device = 0,
                                          .stream = 7,
                                          .name = text(name),
                                          .origin = origin,
                                          .launch = text("grid 16384x1x1 block 256x1x1"),
                                          .modelledBytes = 67'000'000});
    kernels_.push_back({startNs, deviceNs_});
  }

  void eagerStep() {
    const int64_t startNs = nowNs_;
    nowNs_ += 4'000;
    for (int layer = 0; layer < wanted_.layers; ++layer) {
      for (const Operator& op : kLayer) runOperator(op, trace::Origin::kEager);
    }
    finishCall(startNs, trace::CallOutcome::kForcedEager, AttemptId::kNone);
  }

  void compiledStep(int step) {
    const int64_t startNs = nowNs_;
    const bool isFirst = step == 0, isRecompile = step == 4;
    const AttemptId attempt{step < 4 ? 0 : 1};
    nowNs_ += 3'000;
    if (isRecompile) failGuard();
    runSegment(SegmentId{0}, attempt, wanted_.layers / 2);
    const int64_t gapNs = isFirst ? 0 : jittered(120'000);
    trace::emit(
        writer_,
        trace::GraphBreakRow{
            .frame = kFrame,
            .attempt = attempt,
            .after = SegmentId{0},
            .startNs = nowNs_,
            .endNs = nowNs_ + gapNs,
            .thread = kThread,
            .isFirst = isFirst || isRecompile,
            .reason = text("Unsupported Tensor.item() call with capture_scalar_outputs=False"),
            .op = text("aten::item"),
            .explanation = text("Dynamo does not support tracing `Tensor.item()`"),
            .hint = text("Use torch.where, or keep the value in a tensor"),
            .stack = text("/src/decode_service.cpp:41 decodeStep(at::Tensor)\n"
                          "/src/decode_service.cpp:120 main")});
    nowNs_ += gapNs;
    runSegment(SegmentId{1}, attempt, wanted_.layers - wanted_.layers / 2);
    if (isFirst || isRecompile) recordCompile(startNs, attempt);
    finishCall(startNs,
               isFirst || isRecompile ? trace::CallOutcome::kCompiled : trace::CallOutcome::kHit,
               attempt);
  }

  void runSegment(SegmentId segment, AttemptId attempt, int layers) {
    const int64_t startNs = nowNs_;
    nowNs_ += 1'500;
    for (int layer = 0; layer < layers; ++layer) {
      for (const Operator& op : kLayer) runOperator(op, trace::Origin::kCompiled);
    }
    trace::emit(writer_,
                trace::RegionRow{
                    .frame = kFrame,
                    .attempt = attempt,
                    .segment = segment,
                    .startNs = startNs,
                    .endNs = nowNs_,
                    .thread = kThread,
                    .origin = trace::Origin::kCompiled,
                    .opCount = layers * static_cast<int64_t>(std::size(kLayer)),
                    .graph = text("graph_0_" + std::to_string(static_cast<int64_t>(segment)))});
  }

  void failGuard() {
    trace::emit(writer_,
                trace::GuardFailureRow{
                    .frame = kFrame,
                    .attempt = AttemptId{0},
                    .timeNs = nowNs_,
                    .thread = kThread,
                    .caused = AttemptId{1},
                    .kind = text("TENSOR_MATCH"),
                    .source = text("L['x']"),
                    .expected = text("4"),
                    .actual = text("8"),
                    .text = text("tensor 'x' size mismatch at index 0. expected 4, actual 8"),
                    .cause = text("size"),
                    .stack = text("/src/decode_service.cpp:120 main")});
  }

  void recordCompile(int64_t startNs, AttemptId attempt) {
    nowNs_ += 2'400'000;
    trace::emit(
        writer_,
        trace::CompileRow{
            .frame = kFrame,
            .attempt = attempt,
            .startNs = startNs + 2'000,
            .endNs = nowNs_,
            .thread = kThread,
            .trigger = text(attempt == AttemptId{0}
                                ? "first call"
                                : "tensor 'x' size mismatch at index 0. expected 4, actual 8"),
            .captureNs = 640'000,
            .guardsNs = 210'000,
            .backendNs = 1'500'000,
            .graphCount = 2,
            .breakCount = 1,
            .opCount = 56,
            .guardCount = 14,
            .isDynamic = attempt == AttemptId{1},
            .stack = text("/src/decode_service.cpp:120 main")});
  }

  void finishCall(int64_t startNs, trace::CallOutcome outcome, AttemptId attempt) {
    nowNs_ += 3'000;
    trace::emit(
        writer_,
        trace::CallRow{.frame = kFrame,
                       .attempt = attempt,
                       .startNs = startNs,
                       .endNs = nowNs_,
                       .thread = kThread,
                       .outcome = outcome,
                       .userCode = outcome == trace::CallOutcome::kHit ? trace::UserCode::kReplayed
                                                                       : trace::UserCode::kRan,
                       .guardNs = outcome == trace::CallOutcome::kForcedEager ? 0 : 900,
                       .entriesTried = 1,
                       .segmentsRun = 2});
    nowNs_ += jittered(kStepGapNs);
  }

  void recordTraffic() {
    const auto read = text("dram_read_bytes"), write = text("dram_write_bytes");
    constexpr int64_t kSampleNs = 5'000;
    size_t next = 0;
    for (int64_t at = kStartNs; at < nowNs_; at += kSampleNs) {
      while (next + 1 < kernels_.size() && kernels_[next].second < at) ++next;
      const bool isBusy = next < kernels_.size() && kernels_[next].first < at + kSampleNs &&
                          kernels_[next].second > at;
      const double bytes =
          isBusy ? 4.8e12 * 5e-6 * (0.3 + static_cast<double>(random_() % 25) / 100) : 0;
      trace::emit(
          writer_,
          trace::CounterRow{
              .startNs = at, .endNs = at + kSampleNs, .device = 0, .metric = read, .value = bytes});
      trace::emit(writer_, trace::CounterRow{.startNs = at,
                                             .endNs = at + kSampleNs,
                                             .device = 0,
                                             .metric = write,
                                             .value = bytes * 0.4});
    }
    trace::emit(writer_, trace::MemcpyRow{.startNs = kStartNs + 10'000,
                                          .endNs = kStartNs + 60'000,
                                          .device = 0,
                                          .stream = 7,
                                          .kind = trace::CopyKind::kHostToDevice,
                                          .bytes = 2'000'000});
  }

  trace::FileWriter& writer_;
  SyntheticRecording wanted_;
  int64_t nowNs_ = kStartNs + 40'000;
  int64_t deviceNs_ = kStartNs;
  std::vector<std::pair<int64_t, int64_t>> kernels_;
  std::mt19937 random_{20'26};
};

}  // namespace

bool writeRecording(const SyntheticRecording& wanted, const std::filesystem::path& path) {
  auto writer = trace::FileWriter::create(path);
  if (!writer) return false;
  Recorder(**writer, wanted).record();
  return (*writer)->close().lost == 0;
}

}  // namespace jitscope::gui
