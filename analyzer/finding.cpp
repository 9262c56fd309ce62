#include "analyzer/finding.h"

namespace jitscope::analyzer {

std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::kGraphBreak:
      return "graph_break";
    case FindingKind::kRecompile:
      return "recompile";
    case FindingKind::kRecompileLimit:
      return "recompile_limit";
    case FindingKind::kReplayDivergence:
      return "replay_divergence";
    case FindingKind::kSpecializedSize:
      return "specialized_size";
    case FindingKind::kFailedCompile:
      return "failed_compile";
    case FindingKind::kSlowerThanEager:
      return "slower_than_eager";
    case FindingKind::kPlainSegment:
      return "plain_segment";
    case FindingKind::kCudagraph:
      return "cudagraph";
    case FindingKind::kHostBound:
      return "host_bound";
    case FindingKind::kSynchronization:
      return "synchronization";
    case FindingKind::kMissedFusion:
      return "missed_fusion";
    case FindingKind::kMemoryTraffic:
      return "memory_traffic";
    case FindingKind::kStraggler:
      return "straggler";
    case FindingKind::kGuardCost:
      return "guard_cost";
    case FindingKind::kColdCompile:
      return "cold_compile";
    case FindingKind::kProgramError:
      return "program_error";
    case FindingKind::kAutotune:
      return "autotune";
    case FindingKind::kServerStart:
      return "server_start";
    case FindingKind::kEagerFallback:
      return "eager_fallback";
    case FindingKind::kRecording:
      return "recording";
  }
  return "";
}

std::string_view name(Certainty certainty) {
  switch (certainty) {
    case Certainty::kCertain:
      return "certain";
    case Certainty::kLikely:
      return "likely";
    case Certainty::kUnknown:
      return "unknown";
  }
  return "";
}

Cost& Cost::operator+=(const Cost& other) {
  timeNs += other.timeNs;
  kernels += other.kernels;
  bytes += other.bytes;
  return *this;
}

}  // namespace jitscope::analyzer
