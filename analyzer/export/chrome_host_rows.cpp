#include "analyzer/export/chrome_host_rows.h"

#include <fmt/format.h>

#include "analyzer/frame_name.h"
#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

using trace::OpRow;

/// Writes the rows of one process.
class HostRows {
 public:
  HostRows(const Run& run, ProcessIndex index, ChromeWriter& writer)
      : run_(run), index_(index), writer_(writer), pid_(writer.processId(index)) {}

  void writeOperators() {
    const OpTable& ops = run_.processes[index_].ops;
    for (size_t i = 0; i < ops.size(); ++i) {
      const OpRow row = ops.row(i);
      if (!isValidSpan(row.startNs, row.endNs)) continue;
      const bool isStep = run_.text(row.name).starts_with("ProfilerStep");
      ChromeSpan span = spanOf(row, isStep ? "user_annotation" : "cpu_op", writer_.text(row.name));
      span.arguments = writer_.correlationArguments(index_, row.correlation);
      if (row.sequence >= 0) add(span, fmt::format("\"Sequence number\": {}", row.sequence));
      if (row.forwardThread != 0)
        add(span, fmt::format("\"Fwd thread id\": {}", row.forwardThread));
      const std::string_view shapes = run_.text(row.shapes);
      if (isListOfNumbers(shapes)) add(span, fmt::format("\"Input Dims\": [{}]", shapes));
      writer_.span(span);
    }
  }

  void writeRegions() {
    for (const Region& region : run_.regions) {
      if (region.process != index_) continue;
      const std::string graph(run_.text(region.graph));
      const bool hasFrame = region.frame != trace::FrameId::kNone;
      if (hasFrame || graph.empty()) {
        const std::string id = hasFrame ? ": " + compileId(region.frame, region.attempt) : "";
        writer_.span(spanOf(region, "cpu_op", jsonString("Torch-Compiled Region" + id)));
      }
      if (!graph.empty()) {
        writer_.span(spanOf(region, "user_annotation",
                            jsonString("## Call CompiledFxGraph " + graph + " ##")));
      }
    }
  }

  void writeCalls() {
    for (const Call& call : run_.calls) {
      if (call.process != index_) continue;
      ChromeSpan span = spanOf(call, "jitscope_call", jsonString(frameName(run_, call.frameIndex)));
      span.arguments = fmt::format("\"compile id\": \"{}\", \"outcome\": {}, \"guard ns\": {}",
                                   compileId(call.frame, call.attempt),
                                   static_cast<int64_t>(call.outcome), call.guardNs);
      writer_.span(span);
      if (call.guardNs <= 0 || call.outcome != trace::CallOutcome::kHit) continue;
      ChromeSpan guards = spanOf(call, "cpu_op", "\"TorchDynamo Cache Lookup\"");
      guards.endNs = call.startNs + call.guardNs;
      writer_.span(guards);
    }
  }

  void writeCompiles() {
    for (const Compile& compile : run_.compiles) {
      if (compile.process != index_) continue;
      const std::string id = compileId(compile.frame, compile.attempt);
      ChromeSpan span =
          spanOf(compile, "jitscope_compile",
                 jsonString("compile " + id + " " + frameName(run_, compile.frameIndex)));
      span.arguments = fmt::format("\"trigger\": {}, \"failure\": {}",
                                   writer_.text(compile.trigger), writer_.text(compile.failure));
      writer_.span(span);
    }
  }

  void writeMarks() {
    for (const Break& each : run_.breaks) {
      if (each.process != index_) continue;
      ChromeSpan span = spanOf(each, "jitscope_break", jsonString("graph break"));
      span.arguments = fmt::format("\"reason\": {}, \"stack\": {}", writer_.text(each.reason),
                                   writer_.text(each.stack));
      writer_.span(span);
    }
    for (const GuardFailure& each : run_.guardFailures) {
      if (each.process != index_) continue;
      ChromeSpan mark{.category = "jitscope_guard_failure",
                      .name = "\"guard failure\"",
                      .process = pid_,
                      .thread = each.thread,
                      .startNs = each.timeNs};
      mark.arguments = fmt::format("\"guard\": {}, \"entry\": \"{}\"", writer_.text(each.text),
                                   compileId(each.frame, each.attempt));
      writer_.mark(mark);
    }
  }

 private:
  ChromeSpan spanOf(const auto& row, std::string_view category, std::string name) const {
    return {category, std::move(name), pid_, row.thread, row.startNs, row.endNs, {}};
  }

  static void add(ChromeSpan& span, const std::string& argument) {
    span.arguments += (span.arguments.empty() ? "" : ", ") + argument;
  }

  /// Shapes of symbols ("[s0, 4]") are no JSON.
  static bool isListOfNumbers(std::string_view shapes) {
    return !shapes.empty() && shapes.find_first_not_of("[], 0123456789") == std::string_view::npos;
  }

  const Run& run_;
  ProcessIndex index_;
  ChromeWriter& writer_;
  int64_t pid_;
};

}  // namespace

void writeHostRows(const Run& run, ProcessIndex process, ChromeWriter& writer) {
  HostRows rows(run, process, writer);
  rows.writeOperators();
  rows.writeRegions();
  rows.writeCalls();
  rows.writeCompiles();
  rows.writeMarks();
}

}  // namespace jitscope::analyzer
