#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// When and how often the scalars of a nest are computed.
struct NestAnalysis {
  /// What one scalar depends on.
  struct Facts {
    uint64_t loops = 0;  ///< bit k: on loop variable k
    int pass = 0;        ///< how many reductions have to be done before, one after the other
  };

  std::vector<ScalarId> order;  ///< each after its operands
  std::map<ScalarId, Facts> facts;
  std::vector<BufferId> buffers;  ///< loaded ones, then stored ones, each once
  int passes = 1;                 ///< how often the nest goes over its inner loops
  uint64_t innerLoops = 0;        ///< bits of the inner loops

  bool isInner(ScalarId id) const { return (facts.at(id).loops & innerLoops) != 0; }
  int pass(ScalarId id) const { return facts.at(id).pass; }
  bool uses(ScalarId id, size_t loop) const { return (facts.at(id).loops >> loop & 1) != 0; }
};

NestAnalysis analyze(const LoopProgram& program, const LoopNest& nest);

/// The scalars that `roots` need, in order; those for which `isKnown` holds and what only they need
/// are left out.
std::vector<ScalarId> neededFor(const LoopProgram& program, const NestAnalysis& analysis,
                                const std::vector<ScalarId>& roots,
                                const std::function<bool(ScalarId)>& isKnown);

/// The reductions that are gathered in that pass over the inner loops.
std::vector<ReductionId> reductionsIn(const LoopProgram& program, const LoopNest& nest,
                                      const NestAnalysis& analysis, int pass);
/// The stores that can be done in that pass.
std::vector<LoopStore> storesIn(const LoopNest& nest, const NestAnalysis& analysis, int pass,
                                bool isInner);
/// What these need computed.
std::vector<ScalarId> rootsOf(const LoopProgram& program,
                              const std::vector<ReductionId>& reductions,
                              const std::vector<LoopStore>& stores);

/// Whether neighbours in memory belong to different results of the nest's reductions.
bool isColumnReduction(const LoopProgram& program, const LoopNest& nest,
                       const NestAnalysis& analysis);

/// The number that a reduction starts with, as C++ text.
std::string identityText(const LoopProgram& program, const LoopReduction& reduction);

/// The nest with neighbouring loops made one wherever every address allows it.
LoopNest collapsed(LoopProgram& program, const LoopNest& nest);

}  // namespace jitscope::compiler
