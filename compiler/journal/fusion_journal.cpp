#include "compiler/journal/fusion_journal.h"

#include <fmt/format.h>

#include <cstdio>

#include "compiler/journal/journal.h"
#include "compiler/journal/log_lines.h"
#include "trace/clock.h"

namespace jitscope::compiler {
namespace {

struct GraphPlace {
  CompileId id;
  trace::SegmentId segment = trace::SegmentId::kNone;
};

/// Which compilation a graph is of, by its name.
GraphPlace placeOf(const std::string& graph) {
  long frame = -1, attempt = -1, segment = -1;
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion): the name is our own.
  if (std::sscanf(graph.c_str(), "graph_%ld_%ld_%ld", &frame, &attempt, &segment) != 3) return {};
  return {{trace::FrameId{frame}, trace::AttemptId{attempt}}, trace::SegmentId{segment}};
}

void artifact(const GraphPlace& place, std::string_view kind, std::string_view name,
              std::string_view content) {
  Journal& journal = Journal::instance();
  if (!journal.isRecording()) return;
  journal.emit(trace::ArtifactRow{.frame = place.id.frame,
                                  .attempt = place.id.attempt,
                                  .segment = place.segment,
                                  .timeNs = trace::nowNs(),
                                  .kind = journal.intern(kind),
                                  .name = journal.intern(name),
                                  .content = journal.intern(content)});
}

void say(LogKind kind, const GraphPlace& place, std::string_view name, std::string_view text) {
  if ((chosenLogs() & static_cast<uint32_t>(kind)) == 0) return;
  while (text.ends_with('\n')) text.remove_suffix(1);
  writeLog({'V', place.id.text(), name}, text);
}

}  // namespace

void journalFusedCode(const FusedCode& code) noexcept {
  if (!Journal::instance().wantsCompileEvents()) return;
  try {
    const GraphPlace place = placeOf(code.graph);
    const std::string schedule =
        "LOOPS BEFORE FUSION\n" + code.loopsBefore + "LOOPS AFTER FUSION\n" + code.loopsAfter;
    artifact(place, "output_code", fmt::format("{}", fmt::join(code.kernels, ", ")), code.source);
    artifact(place, "fusion", code.graph, code.report);
    artifact(place, "schedule", code.graph, schedule);
    say(LogKind::kFusion, place, "fusion", "FUSION of " + code.graph + "\n" + code.report);
    say(LogKind::kSchedule, place, "schedule", "SCHEDULE of " + code.graph + "\n" + schedule);
    say(LogKind::kOutputCode, place, "output_code",
        "Output code of " + code.graph + "\n" + code.source);
  } catch (...) {  // out of memory: the event is lost, the program goes on
  }
}

void journalUnfusedGraph(std::string_view graph, std::string_view reason) noexcept {
  if (!Journal::instance().wantsCompileEvents()) return;
  try {
    const GraphPlace place = placeOf(std::string(graph));
    artifact(place, "unfused_graph", reason, graph);
    say(LogKind::kPerfHints, place, "perf_hints",
        fmt::format("{} runs operator by operator: {}", graph, reason));
  } catch (...) {  // as above
  }
}

}  // namespace jitscope::compiler
