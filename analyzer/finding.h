#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/place.h"
#include "analyzer/rows.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

enum class FindingKind {
  kGraphBreak,
  kRecompile,
  kRecompileLimit,
  kReplayDivergence,
  kSpecializedSize,
  kFailedCompile,
  kSlowerThanEager,
  kPlainSegment,
  kCudagraph,
  kHostBound,
  kSynchronization,
  kMissedFusion,
  kMemoryTraffic,
  kStraggler,
  kGuardCost,
  kColdCompile,
  kProgramError,  ///< told by the program, e.g. a model called with other sizes than compiled
  kAutotune,
  kServerStart,
  kEagerFallback,
  kRecording,  ///< of the recording itself, not of the program
};

/// The kind as it stands in ids and JSON: "graph_break", "recompile", …
std::string_view name(FindingKind kind);

enum class Certainty {
  kCertain,  ///< the recording says so itself
  kLikely,   ///< concluded from the recording
  kUnknown,  ///< the recording does not tell; the fix is where to look next
};

/// The certainty in JSON: "certain", "likely", "unknown".
std::string_view name(Certainty certainty);

/// What a finding cost. Costs of separate causes may be added.
struct Cost {
  Sum timeNs, kernels, bytes;

  Cost& operator+=(const Cost& other);
  bool operator==(const Cost&) const = default;
};

/// A guard that did not hold.
struct GuardMismatch {
  std::string guard;             ///< in Dynamo's words
  std::string source;            ///< e.g. L['x']
  std::string expected, actual;  ///< may be empty
  std::string entry;             ///< the entry whose guard it is, `F/C`
  int64_t count = 0;             ///< how often
};

/// When and where it happened, to show it on a timeline.
struct Occurrence {
  ProcessIndex process = ProcessIndex::kNone;
  FrameIndex frame = FrameIndex::kNone;
  int64_t thread = 0;
  int64_t startNs = 0, endNs = 0;
};

/// A number that supports a finding, e.g. {"passes", 120}.
struct Evidence {
  std::string what;
  int64_t count = 0;
};

/// What something would take without the cause. A guess, with what it rests on.
struct Estimate {
  std::string of;  ///< what is estimated: "a call of step"
  int64_t nowNs = 0, withoutNs = 0;
  std::string basis;  ///< ends the sentence "… if", e.g. "guards cost nothing"
};

/// The reading of a finding: what a person needs to act on it.
struct Advice {
  std::string title;  ///< a few words: "graph break: Tensor.item() reads a value"
  std::string cause;  ///< one sentence
  std::string fix;    ///< what to write or change, naming the API
  Certainty certainty = Certainty::kCertain;
  bool isAvoidable = true;  ///< false when a program of this kind has to pay it once
};

/// One cause of lost time, merged over its repeats and over processes.
struct Finding {
  FindingKind kind = FindingKind::kGraphBreak;
  std::string causeClass;  ///< e.g. "item", "size": the words of REPORT.md
  std::string id;          ///< the same for the same cause in another run of the same program
  Advice advice;
  Place place;
  Cost cost;
  std::optional<Estimate> estimate;
  std::vector<Evidence> evidence;       ///< the first is how often it happened
  std::vector<GuardMismatch> guards;    ///< most frequent first; empty for breaks
  std::vector<Occurrence> occurrences;  ///< by start time

  /// How often it happened.
  int64_t count() const { return evidence.empty() ? 0 : evidence.front().count; }
};

}  // namespace jitscope::analyzer
