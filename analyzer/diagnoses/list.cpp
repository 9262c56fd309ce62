#include <array>

#include "analyzer/diagnoses/autotune.h"
#include "analyzer/diagnoses/border_copies.h"
#include "analyzer/diagnoses/cold_compile.h"
#include "analyzer/diagnoses/cudagraph.h"
#include "analyzer/diagnoses/cudagraph_padding.h"
#include "analyzer/diagnoses/damaged_input.h"
#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/diagnoses/eager_fallback.h"
#include "analyzer/diagnoses/exposed_collectives.h"
#include "analyzer/diagnoses/failed_compile.h"
#include "analyzer/diagnoses/graph_break.h"
#include "analyzer/diagnoses/guard_cost.h"
#include "analyzer/diagnoses/idle_device.h"
#include "analyzer/diagnoses/memory_traffic.h"
#include "analyzer/diagnoses/missed_fusion.h"
#include "analyzer/diagnoses/module_load.h"
#include "analyzer/diagnoses/plain_segment.h"
#include "analyzer/diagnoses/program_messages.h"
#include "analyzer/diagnoses/recompile.h"
#include "analyzer/diagnoses/recompile_limit.h"
#include "analyzer/diagnoses/recording_faults.h"
#include "analyzer/diagnoses/replay_divergence.h"
#include "analyzer/diagnoses/script_warm_up.h"
#include "analyzer/diagnoses/server_start.h"
#include "analyzer/diagnoses/slower_than_eager.h"
#include "analyzer/diagnoses/specialized_size.h"
#include "analyzer/diagnoses/straggler.h"

namespace jitscope::analyzer {

std::span<const Diagnosis> allDiagnoses() {
  static constexpr std::array kDiagnoses{
      Diagnosis{"failed_compile", findFailedCompiles},
      Diagnosis{"cudagraph", findCudagraphs},
      Diagnosis{"cudagraph_padding", findCudagraphPadding},
      Diagnosis{"graph_break", findGraphBreaks},
      Diagnosis{"recompile", findRecompiles},
      Diagnosis{"recompile_limit", findRecompileLimits},
      Diagnosis{"replay_divergence", findReplayDivergences},
      Diagnosis{"slower_than_eager", findSlowerThanEager},
      Diagnosis{"specialized_size", findSpecializedSizes},
      Diagnosis{"plain_segment", findPlainSegments},
      Diagnosis{"guard_cost", findGuardCosts},
      Diagnosis{"cold_compile", findColdCompiles},
      Diagnosis{"autotune", findAutotunes},
      Diagnosis{"server_start", findServerStarts},
      Diagnosis{"eager_fallback", findEagerFallbacks},
      Diagnosis{"idle_device", findIdleDevices},
      Diagnosis{"missed_fusion", findMissedFusions},
      Diagnosis{"memory_traffic", findMemoryTraffic},
      Diagnosis{"border_copies", findBorderCopies},
      Diagnosis{"module_load", findModuleLoads},
      Diagnosis{"script_warm_up", findScriptWarmUps},
      Diagnosis{"exposed_collectives", findExposedCollectives},
      Diagnosis{"straggler", findStragglers},
      Diagnosis{"program_messages", findProgramMessages},
      Diagnosis{"recording_faults", findRecordingFaults},
      Diagnosis{"damaged_input", findDamagedInputs},
  };
  return kDiagnoses;
}

}  // namespace jitscope::analyzer
