#include <array>

#include "analyzer/diagnoses/cudagraph.h"
#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/diagnoses/failed_compile.h"
#include "analyzer/diagnoses/graph_break.h"
#include "analyzer/diagnoses/plain_segment.h"
#include "analyzer/diagnoses/recompile.h"
#include "analyzer/diagnoses/recompile_limit.h"
#include "analyzer/diagnoses/replay_divergence.h"
#include "analyzer/diagnoses/slower_than_eager.h"
#include "analyzer/diagnoses/specialized_size.h"

namespace jitscope::analyzer {

std::span<const Diagnosis> allDiagnoses() {
  static constexpr std::array kDiagnoses{
      Diagnosis{"failed_compile", findFailedCompiles},
      Diagnosis{"cudagraph", findCudagraphs},
      Diagnosis{"graph_break", findGraphBreaks},
      Diagnosis{"recompile", findRecompiles},
      Diagnosis{"recompile_limit", findRecompileLimits},
      Diagnosis{"replay_divergence", findReplayDivergences},
      Diagnosis{"slower_than_eager", findSlowerThanEager},
      Diagnosis{"specialized_size", findSpecializedSizes},
      Diagnosis{"plain_segment", findPlainSegments},
  };
  return kDiagnoses;
}

}  // namespace jitscope::analyzer
