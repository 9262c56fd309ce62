// Records ten runs of a training job on ten ranks, as a cluster would leave them: a folder for each
// run, a trace for each rank. No cluster is needed: the steps are made up, and written with the
// writer that the recorder uses. Two faults are planted for fleet.sql to find.
//
//   fleet_recordings FOLDER
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "trace/schema.h"
#include "trace/writer.h"

namespace {

namespace fs = std::filesystem;
namespace trace = jitscope::trace;
using trace::AttemptId, trace::FrameId, trace::SegmentId;

constexpr int kRuns = 10, kRanks = 10, kSteps = 40;
constexpr int64_t kMicrosecond = 1'000, kDay = 86'400'000'000'000;
constexpr int64_t kFirstRun = 1'780'000'000'000'000'000;  // a day of 2026
constexpr int64_t kTransfer = 2'000 * kMicrosecond;       // of the gradients, once all are there
constexpr int64_t kThread = 1;

// The planted faults, and what only looks like one.
constexpr int kSlowRun = 7;                           // a graph break came into all of its steps
constexpr int kStragglerRun = 4, kStragglerRank = 3;  // all others wait for this rank
constexpr int kPausedRun = 2, kPausedRank = 6, kPausedStep = 20;  // one slow step is no straggler
constexpr double kStragglerFactor = 1.35;

struct Operator {
  const char* name;
  int64_t durationNs;
};
constexpr Operator kOperators[] = {
    {"aten::embedding", 1'200 * kMicrosecond},
    {"aten::mm", 14'000 * kMicrosecond},
    {"aten::_scaled_dot_product_flash_attention", 11'000 * kMicrosecond},
    {"aten::native_layer_norm", 2'500 * kMicrosecond},
    {"aten::gelu", 3'000 * kMicrosecond},
    {"aten::_softmax", 1'800 * kMicrosecond},
    {"aten::mm", 9'000 * kMicrosecond},
};

/// A graph break of the training step, behind one of its operators.
struct Break {
  size_t behind;
  const char* reason;
  const char* stack;
  int64_t durationNs;
};
constexpr Break kKnownBreak{3, "Call to `print`", "train.py:88 train_step", 60 * kMicrosecond};
constexpr Break kNewBreak{5, "Unsupported Tensor.item() call with capture_scalar_outputs=False",
                          "train.py:118 clip_gradients\ntrain.py:97 train_step",
                          7'000 * kMicrosecond};

/// One rank of one run, and the trace that it writes.
class Rank {
 public:
  Rank(int run, int rank, const fs::path& path)
      : run_(run), rank_(rank), random_(static_cast<uint64_t>(run * kRanks + rank)) {
    trace::Result<std::unique_ptr<trace::FileWriter>> file = trace::FileWriter::create(path);
    if (!file) {
      std::fprintf(stderr, "fleet_recordings: %s\n", file.error().text.c_str());
      std::exit(1);
    }
    writer_ = std::move(*file);
  }

  void begin(int64_t startNs) {
    const std::string host = "node-" + std::to_string(rank_ / 5);
    trace::emit(*writer_, trace::ProcessRow{.pid = 1000 + rank_,
                                            .startNs = startNs,
                                            .commandLine = text("python3 train.py"),
                                            .hostName = text(host),
                                            .rank = rank_,
                                            .worldSize = kRanks});
    trace::emit(*writer_, trace::ThreadRow{.thread = kThread, .name = text("main")});
    trace::emit(*writer_, trace::FrameRow{.frame = FrameId{0},
                                          .timeNs = startNs,
                                          .name = text("train_step"),
                                          .file = text("train.py"),
                                          .line = 80,
                                          .backend = text("inductor")});
  }

  /// Works from `startNs` on; gives the time at which the rank has its gradients.
  int64_t work(int step, int64_t startNs) {
    std::vector<Break> breaks{kKnownBreak};
    if (run_ == kSlowRun) breaks.push_back(kNewBreak);
    int64_t now = startNs, segmentStart = startNs, segment = 0;
    for (size_t i = 0; i < std::size(kOperators); ++i) {
      const int64_t begin = now;
      now += varied(kOperators[i].durationNs, step, i);
      trace::emit(
          *writer_,
          trace::OpRow{
              .startNs = begin, .endNs = now, .thread = kThread, .name = text(kOperators[i].name)});
      for (const Break& each : breaks) {
        if (each.behind != i) continue;
        endSegment(segment, segmentStart, now);
        trace::emit(*writer_, trace::GraphBreakRow{.frame = FrameId{0},
                                                   .attempt = AttemptId{0},
                                                   .after = SegmentId{segment++},
                                                   .startNs = now,
                                                   .endNs = now + each.durationNs,
                                                   .thread = kThread,
                                                   .isFirst = step == 0,
                                                   .reason = text(each.reason),
                                                   .stack = text(each.stack)});
        now += each.durationNs;
        segmentStart = now;
      }
    }
    endSegment(segment, segmentStart, now);
    return now;
  }

  /// The gradients are summed over all ranks from when this one has its own until all have them.
  void endStep(int64_t startNs, int64_t arrivalNs, int64_t endNs) {
    trace::emit(*writer_, trace::KernelRow{.startNs = arrivalNs,
                                           .endNs = endNs,
                                           .stream = 7,
                                           .name = text("ncclDevKernel_AllReduce_Sum_bf16_RING_LL"),
                                           .origin = trace::Origin::kCompiled});
    trace::emit(*writer_, trace::CallRow{.frame = FrameId{0},
                                         .attempt = AttemptId{0},
                                         .startNs = startNs,
                                         .endNs = endNs,
                                         .thread = kThread,
                                         .outcome = trace::CallOutcome::kHit,
                                         .guardNs = 20 * kMicrosecond});
  }

  /// Whether all of it is in the file.
  bool close() { return writer_->close().lost == 0; }

 private:
  trace::StringId text(std::string_view words) { return writer_->intern(words); }

  void endSegment(int64_t segment, int64_t startNs, int64_t endNs) {
    trace::emit(*writer_, trace::RegionRow{.frame = FrameId{0},
                                           .attempt = AttemptId{0},
                                           .segment = SegmentId{segment},
                                           .startNs = startNs,
                                           .endNs = endNs,
                                           .thread = kThread});
  }

  /// A duration with the differences that real steps have, and those of a fault.
  int64_t varied(int64_t durationNs, int step, size_t operatorIndex) {
    constexpr double kNoise = 0.02;
    const double unit = static_cast<double>(random_() >> 11) * 0x1p-53;
    double factor = 1 + kNoise * (2 * unit - 1);
    if (run_ == kStragglerRun && rank_ == kStragglerRank) factor *= kStragglerFactor;
    const bool isPaused = run_ == kPausedRun && rank_ == kPausedRank && step == kPausedStep;
    if (isPaused && operatorIndex == 0) factor *= 100;
    return static_cast<int64_t>(static_cast<double>(durationNs) * factor);
  }

  int run_, rank_;
  std::mt19937_64 random_;
  std::unique_ptr<trace::FileWriter> writer_;
};

bool recordRun(int run, const fs::path& folder) {
  std::vector<Rank> ranks;
  int64_t startNs = kFirstRun + run * kDay;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back(run, rank, folder / ("rank_" + std::to_string(rank) + ".jitscope"));
    ranks.back().begin(startNs);
  }
  for (int step = 0; step < kSteps; ++step) {
    std::vector<int64_t> arrivals;
    for (Rank& rank : ranks) arrivals.push_back(rank.work(step, startNs));
    const int64_t endNs = *std::max_element(arrivals.begin(), arrivals.end()) + kTransfer;
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      ranks[rank].endStep(startNs, arrivals[rank], endNs);
    startNs = endNs + 200 * kMicrosecond;
  }
  return std::all_of(ranks.begin(), ranks.end(), [](Rank& rank) { return rank.close(); });
}

}  // namespace

int main(int argumentCount, char** arguments) {
  if (argumentCount != 2) {
    std::fprintf(stderr, "usage: fleet_recordings FOLDER\n");
    return 2;
  }
  const fs::path folder = arguments[1];
  for (int run = 0; run < kRuns; ++run) {
    const fs::path place = folder / ("run_0" + std::to_string(run));
    std::error_code problem;
    fs::create_directories(place, problem);
    if (problem || !recordRun(run, place)) {
      std::fprintf(stderr, "fleet_recordings: %s: cannot be written\n", place.c_str());
      return 1;
    }
  }
  std::printf("%d runs of %d ranks, %d steps each\n", kRuns, kRanks, kSteps);
  return 0;
}
