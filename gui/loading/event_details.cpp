#include "gui/loading/event_details.h"

#include <algorithm>
#include <limits>

#include "analyzer/frame_name.h"
#include "gui/loading/compile_details.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

QString originText(trace::Origin origin) {
  switch (origin) {
    case trace::Origin::kEager:
      return "eager";
    case trace::Origin::kCompiled:
      return "compiled";
    case trace::Origin::kReplay:
      return "replay of a CUDA graph";
    default:
      return "unknown";
  }
}

DetailSection timeSection(const analyzer::Run& run, int64_t startNs, int64_t endNs) {
  DetailSection section;
  addField(section, "time", durationText(endNs - startNs));
  addField(section, "start", sinceStartText(run, startNs));
  return section;
}

Detail describeOp(const analyzer::Run& run, const analyzer::Process& process, size_t row,
                  Category category) {
  const trace::OpRow op = process.ops.row(row);
  const analyzer::Piece& piece = process.pieceOf(static_cast<analyzer::OpIndex>(row));
  Detail detail{textOf(run, op.name), "operator, " + originText(piece.origin), category, {}};
  DetailSection section = timeSection(run, op.startNs, op.endNs);
  addField(section, "shapes", textOf(run, op.shapes));
  addField(section, "nesting", op.depth == 0 ? "outermost" : QString("level %1").arg(op.depth));
  addField(section, "thread", QString::number(op.thread));
  if (op.isBackward != 0) addField(section, "pass", "backward");
  if (analyzer::exists(piece.call) && analyzer::exists(run.calls[piece.call].frameIndex)) {
    addField(section, "frame", textOf(run, run.frames[run.calls[piece.call].frameIndex].name));
  }
  if (analyzer::exists(piece.region)) {
    const analyzer::Region& region = run.regions[piece.region];
    addField(section, "region",
             QString("%1/%2, segment %3")
                 .arg(static_cast<int64_t>(region.frame))
                 .arg(static_cast<int64_t>(region.attempt))
                 .arg(static_cast<int64_t>(region.segment)));
  }
  detail.sections.push_back(std::move(section));
  return detail;
}

DetailBar bytesBar(const QString& name, int64_t bytes, int64_t most, Category category) {
  return {name, static_cast<double>(bytes) / static_cast<double>(std::max<int64_t>(1, most)),
          bytesText(bytes), category};
}

Detail describeKernel(const analyzer::Run& run, const analyzer::Process& process, size_t row,
                      Category category) {
  const trace::KernelRow kernel = process.kernels.row(row);
  const auto index = static_cast<analyzer::KernelIndex>(row);
  Detail detail{
      textOf(run, kernel.name), "kernel, " + originText(process.originOf(index)), category, {}};
  DetailSection section = timeSection(run, kernel.startNs, kernel.endNs);
  addField(section, "launch", textOf(run, kernel.launch));
  addField(section, "stream", QString("%1 of device %2").arg(kernel.stream).arg(kernel.device));
  if (analyzer::exists(process.kernelOps[row])) {
    const size_t op = analyzer::position(process.kernelOps[row]);
    addField(section, "operator", textOf(run, process.ops.get<&trace::OpRow::name>(op)));
  }
  const analyzer::PieceIndex piece = process.kernelPieces[row];
  if (analyzer::exists(piece) && analyzer::exists(process.pieces[piece].region)) {
    const analyzer::Region& region = run.regions[process.pieces[piece].region];
    addField(section, "graph",
             QString::fromStdString(analyzer::compileId(region.frame, region.attempt)));
  }
  addCount(section, "correlation", static_cast<int64_t>(kernel.correlation));
  detail.sections.push_back(std::move(section));
  DetailSection traffic;
  traffic.heading = "memory traffic";
  // Halves of what 64 bits hold: their sum does not overflow, whatever a file says.
  constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max() / 2;
  const bool isExact = kernel.bytesRead >= 0 && kernel.bytesWritten >= 0 &&
                       kernel.bytesRead <= kMostBytes && kernel.bytesWritten <= kMostBytes;
  const int64_t exactBytes = isExact ? kernel.bytesRead + kernel.bytesWritten : 0;
  const int64_t most = std::max(kernel.modelledBytes, exactBytes);
  if (kernel.modelledBytes >= 0) {
    traffic.bars.push_back(bytesBar("modelled", kernel.modelledBytes, most, category));
  }
  if (isExact) traffic.bars.push_back(bytesBar("exact", exactBytes, most, Category::kReplay));
  if (!traffic.bars.empty()) detail.sections.push_back(std::move(traffic));
  return detail;
}

Detail describeCopy(const analyzer::Run& run, const analyzer::Process& process, uint32_t source,
                    const QString& name) {
  Detail detail{name, "device memory", Category::kHost, {}};
  int64_t startNs = 0, endNs = 0, bytes = 0, stream = 0;
  if ((source & kMemsetBit) != 0) {
    const analyzer::ColumnTable<trace::MemsetRow> table(*process.file, process.texts);
    const trace::MemsetRow set = table.row(source & ~kMemsetBit);
    startNs = set.startNs, endNs = set.endNs, bytes = set.bytes, stream = set.stream;
  } else {
    const analyzer::ColumnTable<trace::MemcpyRow> table(*process.file, process.texts);
    const trace::MemcpyRow copy = table.row(source);
    startNs = copy.startNs, endNs = copy.endNs, bytes = copy.bytes, stream = copy.stream;
  }
  DetailSection section = timeSection(run, startNs, endNs);
  if (bytes > 0) addField(section, "size", bytesText(bytes));
  if (bytes > 0 && endNs > startNs) {
    const double perSecond =
        static_cast<double>(bytes) * 1e9 / static_cast<double>(endNs - startNs);
    const auto rate = static_cast<int64_t>(std::clamp(perSecond, 0.0, 9e18));
    addField(section, "rate", bytesText(rate) + "/s");
  }
  addField(section, "stream", QString::number(stream));
  detail.sections.push_back(std::move(section));
  return detail;
}

Detail describeApi(const analyzer::Run& run, const analyzer::Process& process, size_t row) {
  const analyzer::ColumnTable<trace::ApiRow> table(*process.file, process.texts);
  const trace::ApiRow call = table.row(row);
  Detail detail{textOf(run, call.name),
                call.isDriver != 0 ? "driver call" : "runtime call",
                Category::kHost,
                {}};
  DetailSection section = timeSection(run, call.startNs, call.endNs);
  addField(section, "thread", QString::number(call.thread));
  // Traces of profilers do not tell it: only what went wrong is known to be so.
  if (call.status != 0) addField(section, "status", QString::number(call.status));
  addCount(section, "correlation", static_cast<int64_t>(call.correlation));
  detail.sections.push_back(std::move(section));
  return detail;
}

}  // namespace

EventDetails::EventDetails(std::shared_ptr<const analyzer::Run> run,
                           std::vector<LaneSource> sources)
    : run_(std::move(run)), sources_(std::move(sources)) {}

Detail EventDetails::ofMark(const Mark& mark) const {
  switch (mark.kind) {
    case MarkKind::kBreak:
      return gui::describe(*run_, run_->breaks[static_cast<analyzer::BreakIndex>(mark.source)]);
    case MarkKind::kRecompile:
      return gui::describe(*run_, run_->compiles[static_cast<analyzer::CompileIndex>(mark.source)]);
    case MarkKind::kGuardFailure:
      return gui::describe(
          *run_, run_->guardFailures[static_cast<analyzer::GuardFailureIndex>(mark.source)]);
  }
  return {};
}

Detail EventDetails::describe(const Timeline& timeline, const Pick& pick) const {
  if (pick.kind == Pick::Kind::kMark) return ofMark(timeline.marks[pick.index]);
  const EventRow& row = timeline.lanes[pick.lane].rows[pick.row];
  const Event event = row.events().at(pick.index);
  const auto source = static_cast<uint32_t>(event.source);
  const analyzer::Process& process = run_->processes[sources_[pick.lane].process];
  switch (row.kind()) {
    case RowKind::kCompile:
      return gui::describe(*run_, run_->compiles[analyzer::CompileIndex{source}]);
    case RowKind::kCall:
      return gui::describe(*run_, run_->calls[analyzer::CallIndex{source}]);
    case RowKind::kRegion:
      if (event.category == Category::kBreak) {
        return gui::describe(*run_, run_->breaks[analyzer::BreakIndex{source}]);
      }
      return gui::describe(*run_, run_->regions[analyzer::RegionIndex{source}]);
    case RowKind::kOperator:
      return describeOp(*run_, process, source, event.category);
    case RowKind::kApi:
      return describeApi(*run_, process, source);
    case RowKind::kKernel:
      return describeKernel(*run_, process, source, event.category);
    case RowKind::kCopy:
      return describeCopy(*run_, process, source, timeline.nameOf(event.name));
  }
  return {};
}

}  // namespace jitscope::gui
