#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/input.h"
#include "analyzer/process.h"
#include "analyzer/rows.h"
#include "analyzer/sum.h"
#include "trace/result.h"
#include "trace/schema.h"

namespace jitscope::analyzer {

/// A row of one process together with its place in the run. `frame` and `attempt` of the row count
/// within its process; `frameIndex` is the same frame in Run::frames. Text is the run's id.
template <class Row>
struct Placed : Row {
  ProcessIndex process = ProcessIndex::kNone;
  FrameIndex frameIndex = FrameIndex::kNone;
};

/// A compiled callable. The same callable in several processes (same number, name and place) is
/// one.
struct Frame {
  trace::FrameId id = trace::FrameId::kNone;
  trace::StringId name{}, file{};
  int64_t line = 0;
  trace::StringId backend{}, mode{};
  bool isFullgraph = false;
  int64_t dynamic = -1;  ///< -1 unset, 0 false, 1 true
  bool isKnown = true;   ///< false: rows name it, but the frame's own row is lost
};

/// One compilation.
struct Compile : Placed<trace::CompileRow> {
  /// What it cost beyond running the user's code: its phases, or its whole duration when none is
  /// told.
  int64_t costNs() const;
};

/// One compiled version of a frame in one process.
struct Entry {
  FrameIndex frame = FrameIndex::kNone;
  ProcessIndex process = ProcessIndex::kNone;
  trace::AttemptId attempt = trace::AttemptId::kNone;
  CompileIndex compile = CompileIndex::kNone;  ///< kNone when that row is lost
  int64_t hitCount = 0;
  int64_t regionCount = 0;
  Sum regionNs;
};

/// One invocation of a compiled callable. Operators of calls inside it count as its own too.
struct Call : Placed<trace::CallRow> {
  CallIndex parent = CallIndex::kNone;  ///< the call of a compiled callable that it runs in
  int64_t opCount = 0;                  ///< outermost operators
  Sum opNs;                             ///< their time
  int64_t compiledOpCount = 0;          ///< those of opCount that ran in regions
  Sum regionNs;                         ///< time in compiled regions
  int64_t durationNs() const { return endNs - startNs; }
};

/// One execution of one compiled graph.
struct Region : Placed<trace::RegionRow> {
  /// kNone for regions outside of calls, e.g. in backward threads.
  CallIndex call = CallIndex::kNone;
};

/// A pass over a graph break. Texts of later passes are filled from the first where they are empty.
using Break = Placed<trace::GraphBreakRow>;
using Guard = Placed<trace::GuardRow>;
using GuardFailure = Placed<trace::GuardFailureRow>;
using Specialization = Placed<trace::SpecializationRow>;
using Artifact = Placed<trace::ArtifactRow>;

/// Everything that happened on one thread, each list by start time.
struct Lane {
  ProcessIndex process = ProcessIndex::kNone;
  int64_t thread = 0;
  trace::StringId name{};
  int64_t opDepth = 0;  ///< levels of nested operators: 1 + the largest depth, 0 without operators
  std::vector<OpIndex> ops;  ///< of the process's op table; a parent before its children
  std::vector<CallIndex> calls;
  std::vector<RegionIndex> regions;
  std::vector<BreakIndex> breaks;
  std::vector<CompileIndex> compiles;
};

/// What is missing from a run, told by its reader or its recorder.
struct Loss {
  trace::LossKind kind = trace::LossKind::kDropped;
  std::string place;   ///< "offset 8192: chunk 7 (kernel)"; the file in front if there are several
  std::string text;    ///< what was wrong; with an empty place: `PATH: what: where` of a whole file
  int64_t amount = 0;  ///< records (bytes where records cannot be known), or ns for kOverhead
  bool isDamage = false;  ///< the file itself is damaged (as opposed to what its recorder gave up)
};

/// A recorded run: one or several trace files as one. Lists are by start time over all processes.
/// Never changes after `loadRun`; any number of threads may read. Big tables (ops, kernels) stay in
/// their columns: `processes[p].ops`; everything else is rows.
struct Run {
  Rows<ProcessIndex, Process> processes;
  Rows<FrameIndex, Frame> frames;
  Rows<EntryIndex, Entry> entries;  ///< by frame, process, attempt
  Rows<CompileIndex, Compile> compiles;
  Rows<CallIndex, Call> calls;
  Rows<RegionIndex, Region> regions;
  Rows<BreakIndex, Break> breaks;
  Rows<GuardFailureIndex, GuardFailure> guardFailures;
  std::vector<Guard> guards;
  std::vector<Specialization> specializations;
  std::vector<Artifact> artifacts;
  std::vector<Lane> lanes;  ///< by process, then by first event; only threads that did something
  std::vector<Loss> losses;
  std::vector<Input> inputs;            ///< the files that it was loaded from, by path
  std::vector<std::string_view> texts;  ///< by StringId; the memory is that of the processes' files
  std::filesystem::path path;           ///< what was opened
  int64_t startNs = 0, endNs = 0;       ///< first start and last end of anything; equal when empty

  /// The text of `id`; empty when there is none.
  std::string_view text(trace::StringId id) const {
    const auto at = static_cast<size_t>(id);
    return at < texts.size() ? texts[at] : std::string_view();
  }

  /// The entry that an attempt of a frame made in one process; kNone when there is none.
  EntryIndex findEntry(FrameIndex frame, ProcessIndex process, trace::AttemptId attempt) const;

  /// How many operators all processes recorded.
  size_t opCount() const;

  /// How many kernels all processes recorded.
  size_t kernelCount() const;

  /// What was lost: the sum over `losses` without the recorder's own time.
  int64_t lostCount() const;
};

/// Loads a file of any format that is known (a recording of ours, a trace or log of PyTorch), or a
/// folder of any mixture of them as one run. Damage and loss are no error: they are counted in
/// `Run::losses`. An error (`PATH: what: where`) means that nothing at all could be read.
trace::Result<Run> loadRun(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace jitscope::analyzer
