#include "analyzer/run.h"

#include <algorithm>
#include <limits>

#include "analyzer/import/load_inputs.h"
#include "analyzer/load/break_texts.h"
#include "analyzer/load/entries.h"
#include "analyzer/load/frame_finder.h"
#include "analyzer/load/kernel_launches.h"
#include "analyzer/load/lanes.h"
#include "analyzer/load/loss_ledger.h"
#include "analyzer/load/narrow.h"
#include "analyzer/load/pieces.h"
#include "analyzer/load/placed_rows.h"
#include "analyzer/load/text_merger.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"
#include "trace/reader.h"

namespace jitscope::analyzer {
namespace {

Process openProcess(const trace::TraceFile& file, TextMerger& texts) {
  Process process;
  process.path = file.path();
  process.isComplete = file.isComplete();
  process.file = std::make_shared<trace::TraceFile>(file);
  process.texts = texts.add(file);
  process.ops = OpTable(file, process.texts);
  process.kernels = KernelTable(file, process.texts);
  const std::vector<trace::ProcessRow> rows = process.rows<trace::ProcessRow>();
  if (!rows.empty()) process.row = rows.front();
  return process;
}

/// Durations and counts that are summed later must not be able to overflow.
void tameAmounts(Run& run) {
  for (Compile& compile : run.compiles) {
    for (auto field : {&Compile::captureNs, &Compile::guardsNs, &Compile::aotNs,
                       &Compile::codegenNs, &Compile::backendNs, &Compile::graphCount,
                       &Compile::breakCount, &Compile::opCount, &Compile::guardCount}) {
      compile.*field = tamed(compile.*field);
    }
  }
  for (Call& call : run.calls) {
    call.guardNs = tamed(call.guardNs);
    call.divergences = tamed(call.divergences);
    call.opCount = call.compiledOpCount = 0;
    call.opNs = call.regionNs = 0;
  }
}

void placeTables(Run& run, LossLedger& losses) {
  FrameFinder frames(run);
  run.compiles =
      Rows<CompileIndex, Compile>(placeRows<trace::CompileRow, Compile>(run, frames, losses));
  run.calls = Rows<CallIndex, Call>(placeRows<trace::CallRow, Call>(run, frames, losses));
  run.regions = Rows<RegionIndex, Region>(placeRows<trace::RegionRow, Region>(run, frames, losses));
  run.breaks = Rows<BreakIndex, Break>(placeRows<trace::GraphBreakRow, Break>(run, frames, losses));
  run.guardFailures = Rows<GuardFailureIndex, GuardFailure>(
      placeRows<trace::GuardFailureRow, GuardFailure>(run, frames, losses));
  run.guards = placeRows<trace::GuardRow, Guard>(run, frames, losses);
  run.specializations = placeRows<trace::SpecializationRow, Specialization>(run, frames, losses);
  run.artifacts = placeRows<trace::ArtifactRow, Artifact>(run, frames, losses);
}

/// Widens a range to take in a span.
class TimeRange {
 public:
  void add(int64_t startNs, int64_t endNs) {
    startNs_ = std::min(startNs_, startNs);
    endNs_ = std::max(endNs_, endNs);
  }

  template <class Table>
  void addRows(const Table& table) {
    for (const auto& row : table) add(row.startNs, row.endNs);
  }

  template <class Row>
  void addColumns(const ColumnTable<Row>& table) {
    const auto starts = table.template cells<&Row::startNs>();
    const auto ends = table.template cells<&Row::endNs>();
    for (size_t i = 0; i < starts.size(); ++i) {
      if (isValidSpan(starts[i], ends[i])) add(starts[i], ends[i]);
    }
  }

  void storeIn(Run& run) const {
    if (endNs_ < startNs_) return;
    run.startNs = startNs_;
    run.endNs = endNs_;
  }

 private:
  int64_t startNs_ = std::numeric_limits<int64_t>::max();
  int64_t endNs_ = std::numeric_limits<int64_t>::min();
};

void findTimeRange(Run& run) {
  TimeRange range;
  range.addRows(run.compiles);
  range.addRows(run.calls);
  range.addRows(run.regions);
  range.addRows(run.breaks);
  for (const Process& process : run.processes) {
    range.addColumns(process.ops);
    range.addColumns(process.kernels);
  }
  range.storeIn(run);
}

}  // namespace

trace::Origin Process::originOf(KernelIndex kernel) const {
  const auto told = kernels.get<&trace::KernelRow::origin>(position(kernel));
  if (told != trace::Origin::kUnknown) return told;
  const PieceIndex piece = kernelPieces[position(kernel)];
  return exists(piece) ? pieces[piece].origin : trace::Origin::kUnknown;
}

int64_t Compile::costNs() const {
  const int64_t phases = captureNs + guardsNs + aotNs + codegenNs + backendNs;
  return phases > 0 ? phases : endNs - startNs;
}

EntryIndex Run::findEntry(FrameIndex frame, ProcessIndex process, trace::AttemptId attempt) const {
  const auto key = std::tuple(frame, process, attempt);
  const auto keyOf = [](const Entry& entry) {
    return std::tuple(entry.frame, entry.process, entry.attempt);
  };
  const auto found = std::lower_bound(
      entries.begin(), entries.end(), key,
      [&](const Entry& entry, const auto& wanted) { return keyOf(entry) < wanted; });
  if (found == entries.end() || keyOf(*found) != key) return EntryIndex::kNone;
  return entries.indexAt(static_cast<size_t>(found - entries.begin()));
}

size_t Run::opCount() const {
  size_t count = 0;
  for (const Process& process : processes) count += process.ops.size();
  return count;
}

size_t Run::kernelCount() const {
  size_t count = 0;
  for (const Process& process : processes) count += process.kernels.size();
  return count;
}

int64_t Run::lostCount() const {
  Sum count;
  for (const Loss& loss : losses) {
    if (loss.kind != trace::LossKind::kOverhead) count += loss.amount;
  }
  return count;
}

trace::Result<Run> loadRun(const std::filesystem::path& path, const LoadOptions& options) {
  trace::Result<LoadedInputs> loaded = loadInputs(path, options);
  if (!loaded) return loaded.error();
  trace::Result<std::vector<trace::TraceFile>> traces =
      narrow(std::move(loaded->traces), options.filter);
  if (!traces) return traces.error().within(path.string());
  Run run;
  run.path = path;
  run.inputs = std::move(loaded->inputs);
  TextMerger texts;
  for (const trace::TraceFile& file : *traces) run.processes.add(openProcess(file, texts));
  run.texts = texts.take();

  LossLedger losses(traces->size() > 1);
  for (const Process& process : run.processes) losses.addProcess(process, run.texts);
  for (const std::string& problem : loaded->problems) {
    losses.add({trace::LossKind::kDropped, "", problem, 0, true});
  }
  placeTables(run, losses);
  tameAmounts(run);
  fillBreakTexts(run);
  buildEntries(run);
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const ProcessIndex process = run.processes.indexAt(p);
    cutPieces(run, process, opThreads(run.processes[process]));
    placeOps(run.processes[process], losses);
  }
  buildLanes(run);
  placeKernels(run, losses);
  findTimeRange(run);
  run.losses = losses.take();
  return run;
}

}  // namespace jitscope::analyzer
