#include "tests/gui/odd_recordings.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "trace/writer.h"

namespace jitscope::gui {
namespace {

using trace::AttemptId;
using trace::emit;
using trace::EventSink;
using trace::FrameId;
using trace::SegmentId;

constexpr int64_t kStartNs = 1'700'000'000'000'000'000;
constexpr int64_t kMostNs = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeastNs = std::numeric_limits<int64_t>::min();
constexpr int64_t kLatestNs = 7'000'000'000'000'000'000;
constexpr int64_t kThread = 7;
constexpr FrameId kFrame{0};
constexpr AttemptId kAttempt{0};

void addOp(EventSink& sink, const std::string& name, int64_t startNs, int64_t endNs,
           int64_t thread = kThread) {
  emit(sink, trace::OpRow{.startNs = startNs,
                          .endNs = endNs,
                          .thread = thread,
                          .name = sink.intern(name),
                          .shapes = sink.intern("[4, 16]")});
}

void addFrame(EventSink& sink, const std::string& name) {
  emit(sink, trace::FrameRow{.frame = kFrame,
                             .timeNs = kStartNs,
                             .name = sink.intern(name),
                             .file = sink.intern("/src/" + name + ".cpp"),
                             .line = 12});
}

void addCall(EventSink& sink, trace::CallOutcome outcome, int64_t startNs, int64_t endNs) {
  emit(sink, trace::CallRow{.frame = kFrame,
                            .attempt = kAttempt,
                            .startNs = startNs,
                            .endNs = endNs,
                            .thread = kThread,
                            .outcome = outcome});
}

/// One row of each table that has a span, with texts of `name`.
void addSpans(EventSink& sink, const std::string& name, int64_t startNs, int64_t endNs) {
  const trace::StringId text = sink.intern(name);
  addOp(sink, name, startNs, endNs);
  addCall(sink, trace::CallOutcome::kForcedEager, startNs, endNs);
  addCall(sink, trace::CallOutcome::kHit, startNs, endNs);
  emit(sink, trace::CompileRow{.frame = kFrame,
                               .attempt = AttemptId{1},
                               .startNs = startNs,
                               .endNs = endNs,
                               .thread = kThread,
                               .trigger = text,
                               .captureNs = endNs,
                               .guardsNs = startNs,
                               .failure = text,
                               .stack = text});
  emit(sink, trace::GraphBreakRow{.frame = kFrame,
                                  .attempt = kAttempt,
                                  .after = SegmentId{0},
                                  .startNs = startNs,
                                  .endNs = endNs,
                                  .thread = kThread,
                                  .reason = text,
                                  .op = text,
                                  .hint = text,
                                  .stack = text});
  emit(sink, trace::GuardFailureRow{.frame = kFrame,
                                    .attempt = kAttempt,
                                    .timeNs = startNs,
                                    .thread = kThread,
                                    .caused = AttemptId{1},
                                    .source = text,
                                    .expected = text,
                                    .actual = text,
                                    .text = text,
                                    .cause = text});
  emit(sink, trace::RegionRow{.frame = kFrame,
                              .attempt = kAttempt,
                              .segment = SegmentId{0},
                              .startNs = startNs,
                              .endNs = endNs,
                              .thread = kThread,
                              .graph = text});
  emit(sink, trace::KernelRow{.startNs = startNs, .endNs = endNs, .name = text, .launch = text});
  emit(sink, trace::MemcpyRow{.startNs = startNs, .endNs = endNs, .bytes = endNs});
  emit(sink, trace::MemsetRow{.startNs = startNs, .endNs = endNs, .bytes = startNs});
  emit(sink, trace::ApiRow{.startNs = startNs, .endNs = endNs, .thread = kThread, .name = text});
  emit(sink, trace::CounterRow{.startNs = startNs,
                               .endNs = endNs,
                               .metric = sink.intern("dram_read_bytes"),
                               .value = 1e6});
}

void writeNothing(EventSink&) {}

void writeOneEvent(EventSink& sink) { addOp(sink, "aten::mul", kStartNs, kStartNs + 1'000); }

void writeNoCompiledPart(EventSink& sink) {
  for (int64_t i = 0; i < 500; ++i) {
    addOp(sink, "aten::mul", kStartNs + i * 1'000, kStartNs + i * 1'000 + 900);
  }
}

void writeManyOperators(EventSink& sink) {
  for (int64_t i = 0; i < 120'000; ++i) {
    addOp(sink, "aten::mul", kStartNs + i * 1'000, kStartNs + i * 1'000 + 900);
  }
}

void writeCompilationsAlone(EventSink& sink) {
  addFrame(sink, "step");
  for (int64_t i = 0; i < 3; ++i) {
    emit(sink, trace::CompileRow{.frame = kFrame,
                                 .attempt = AttemptId{i},
                                 .startNs = kStartNs + i * 9'000'000,
                                 .endNs = kStartNs + i * 9'000'000 + 5'000'000,
                                 .thread = kThread});
  }
}

void writeNoEagerPart(EventSink& sink) {
  addFrame(sink, "step");
  for (int64_t i = 0; i < 20; ++i) {
    const int64_t startNs = kStartNs + i * 50'000;
    addCall(sink, trace::CallOutcome::kHit, startNs, startNs + 30'000);
    addOp(sink, "aten::mm", startNs + 1'000, startNs + 20'000);
  }
}

void writeNoCompiledCalls(EventSink& sink) {
  addFrame(sink, "step");
  addCall(sink, trace::CallOutcome::kForcedEager, kStartNs, kStartNs + 30'000);
  addOp(sink, "aten::mm", kStartNs + 1'000, kStartNs + 20'000);
}

void writeNoDurations(EventSink& sink) {
  addFrame(sink, "step");
  for (int i = 0; i < 40; ++i) addSpans(sink, "instant", kStartNs, kStartNs);
}

void writeBackwardTimes(EventSink& sink) {
  addFrame(sink, "step");
  addOp(sink, "aten::mul", kStartNs, kStartNs + 90'000);
  for (int64_t i = 0; i < 40; ++i) addSpans(sink, "backwards", kStartNs + i * 1'000, kStartNs);
}

void writeTimesAtTheLimits(EventSink& sink) {
  addFrame(sink, "step");
  constexpr std::array<int64_t, 7> kTimes{kLeastNs,      -1,        0,      1'000,
                                          kLatestNs - 9, kLatestNs, kMostNs};
  for (const int64_t startNs : kTimes) {
    for (const int64_t endNs : kTimes) addSpans(sink, "limits", startNs, endNs);
  }
}

void writeFirstAndLastTime(EventSink& sink) {
  addFrame(sink, "step");
  addSpans(sink, "first", 0, 1'000);
  addSpans(sink, "last", kLatestNs - 1'000, kLatestNs);
}

void writeThirtyDays(EventSink& sink) {
  constexpr int64_t kDayNs = 86'400'000'000'000;
  addFrame(sink, "step");
  for (int64_t day = 0; day < 30; ++day) {
    addSpans(sink, "daily", kStartNs + day * kDayNs, kStartNs + day * kDayNs + 1);
  }
}

void writeAmountsAtTheLimits(EventSink& sink) {
  addOp(sink, "aten::mul", kStartNs, kStartNs + 90'000);
  for (const int64_t amount : {kLeastNs, int64_t{-1}, int64_t{0}, kMostNs}) {
    emit(sink, trace::KernelRow{.startNs = kStartNs,
                                .endNs = kStartNs + 5'000,
                                .device = amount,
                                .stream = amount,
                                .bytesRead = amount,
                                .bytesWritten = amount,
                                .modelledBytes = amount});
    emit(sink, trace::MemcpyRow{.startNs = kStartNs, .endNs = kStartNs + 1, .bytes = amount});
    emit(sink, trace::DeviceRow{.device = 0, .peakBytesPerSecond = static_cast<double>(amount)});
  }
}

void writeCountersThatAreNoNumbers(EventSink& sink) {
  addOp(sink, "aten::mul", kStartNs, kStartNs + 90'000);
  const double infinity = std::numeric_limits<double>::infinity();
  int64_t startNs = kStartNs;
  for (const double value : {std::nan(""), infinity, -infinity, -5.0, 1e308, 1.0}) {
    for (const char* metric : {"dram_read_bytes", "dram_write_bytes"}) {
      emit(sink, trace::CounterRow{.startNs = startNs,
                                   .endNs = startNs + 10'000,
                                   .metric = sink.intern(metric),
                                   .value = value});
    }
    emit(sink, trace::DeviceRow{.device = 0, .peakBytesPerSecond = value});
    startNs += 10'000;
  }
}

void writeThousandsOfLanes(EventSink& sink) {
  for (int64_t thread = 0; thread < 3'000; ++thread) {
    addOp(sink, "aten::mul", kStartNs + thread, kStartNs + 90'000, thread);
  }
}

void writeDeepNesting(EventSink& sink) {
  for (int64_t depth = 0; depth < 3'000; ++depth) {
    addOp(sink, "aten::mul", kStartNs + depth, kStartNs + 90'000 - depth);
  }
}

void writeHugeNames(EventSink& sink) {
  const std::string name(1'000'000, 'n');
  addFrame(sink, name);
  addSpans(sink, name, kStartNs, kStartNs + 60'000);
  addSpans(sink, name + "2", kStartNs + 60'000, kStartNs + 90'000);
}

void writeStrangeNames(EventSink& sink) {
  using namespace std::string_literals;
  addFrame(sink, "operator%1 %2 %99 <b>&lt;");
  int64_t startNs = kStartNs;
  for (const std::string& name :
       {std::string("<img src='/etc/hostname'>"), std::string("%1 %2 %3 %4"),
        "two\nlines\r\n\tand\0more"s, std::string("\xff\xfe\x80 no utf-8"),
        std::string("\xe2\x80\xae right to left"), std::string(" "), std::string()}) {
    addSpans(sink, name, startNs, startNs + 9'000);
    startNs += 10'000;
  }
}

void writeUnknownKinds(EventSink& sink) {
  addOp(sink, "aten::mul", kStartNs, kStartNs + 90'000);
  for (const int64_t kind : {kLeastNs, int64_t{-1}, int64_t{77}, kMostNs}) {
    const FrameId frame{kind};
    const AttemptId attempt{kind};
    emit(sink, trace::FrameRow{.frame = frame, .timeNs = kStartNs, .line = kind});
    emit(sink, trace::CallRow{.frame = frame,
                              .attempt = attempt,
                              .startNs = kStartNs,
                              .endNs = kStartNs + 50'000,
                              .thread = kind,
                              .outcome = static_cast<trace::CallOutcome>(kind),
                              .userCode = static_cast<trace::UserCode>(kind),
                              .entriesTried = kind,
                              .depth = kind});
    emit(sink, trace::CompileRow{.frame = frame,
                                 .attempt = attempt,
                                 .startNs = kStartNs,
                                 .endNs = kStartNs + 40'000,
                                 .thread = kind,
                                 .cache = static_cast<trace::CacheState>(kind),
                                 .graphCount = kind});
    emit(sink, trace::RegionRow{.frame = frame,
                                .attempt = attempt,
                                .segment = SegmentId{kind},
                                .startNs = kStartNs,
                                .endNs = kStartNs + 30'000,
                                .thread = kind,
                                .origin = static_cast<trace::Origin>(kind)});
    emit(sink, trace::MemcpyRow{.startNs = kStartNs,
                                .endNs = kStartNs + 20'000,
                                .kind = static_cast<trace::CopyKind>(kind)});
    emit(sink, trace::LossRow{
                   .timeNs = kind, .kind = static_cast<trace::LossKind>(kind), .amount = kind});
  }
}

void writeManyMarks(EventSink& sink) {
  addFrame(sink, "step");
  addCall(sink, trace::CallOutcome::kHit, kStartNs, kStartNs + 90'000);
  for (int64_t i = 0; i < 5'000; ++i) {
    emit(sink, trace::GuardFailureRow{
                   .frame = kFrame, .attempt = kAttempt, .timeNs = kStartNs + i / 2'000});
  }
}

constexpr OddRecording kRecordings[] = {
    {"nothing", writeNothing},
    {"one event", writeOneEvent},
    {"no compiled part", writeNoCompiledPart},
    {"many operators", writeManyOperators},
    {"compilations alone", writeCompilationsAlone},
    {"no eager part", writeNoEagerPart},
    {"no compiled calls", writeNoCompiledCalls},
    {"no durations", writeNoDurations},
    {"backward times", writeBackwardTimes},
    {"times at the limits", writeTimesAtTheLimits},
    {"first and last believable time", writeFirstAndLastTime},
    {"thirty days", writeThirtyDays},
    {"amounts at the limits", writeAmountsAtTheLimits},
    {"counters that are no numbers", writeCountersThatAreNoNumbers},
    {"thousands of lanes", writeThousandsOfLanes},
    {"deep nesting", writeDeepNesting},
    {"huge names", writeHugeNames},
    {"strange names", writeStrangeNames},
    {"unknown kinds", writeUnknownKinds},
    {"many marks", writeManyMarks},
};

}  // namespace

std::span<const OddRecording> oddRecordings() { return kRecordings; }

bool writeOddRecording(const OddRecording& recording, const std::filesystem::path& path) {
  auto writer = trace::FileWriter::create(path);
  if (!writer) return false;
  trace::EventSink& sink = **writer;
  emit(sink, trace::ProcessRow{.pid = 4711, .startNs = kStartNs});
  recording.write(sink);
  return (*writer)->close().lost == 0;
}

}  // namespace jitscope::gui
