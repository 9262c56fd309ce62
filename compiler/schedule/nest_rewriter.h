#pragma once

#include <map>
#include <span>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// Brings a nest's scalars to other loops: each of its loop variables becomes an index of the new
/// ones, and what it loaded from a buffer may become the value that was stored there.
class NestRewriter {
 public:
  /// `loops[k]` stands for the nest's loop k; the new loops run over `sizes`. Reductions that
  /// equal one of `known` become that one.
  NestRewriter(LoopProgram& program, std::vector<Index> loops, std::span<const Index> sizes,
               std::span<const ReductionId> known);

  /// From now on loads from the store's buffer at its address are its value.
  void forward(const LoopStore& store);
  /// Whether something was loaded from a forwarded buffer at another address.
  bool hasForeignLoad() const { return hasForeignLoad_; }

  ScalarId rewrite(ScalarId id);
  Index rewrite(const Index& index);
  ReductionId rewrite(ReductionId id);

 private:
  Scalar rewritten(const Scalar& scalar);

  LoopProgram& program_;
  std::vector<Index> loops_, sizes_;
  std::vector<ReductionId> known_;
  std::map<BufferId, LoopStore> forwarded_;
  std::map<ScalarId, ScalarId> done_;
  std::map<ReductionId, ReductionId> doneReductions_;
  bool hasForeignLoad_ = false;
};

/// Calls `visit(ScalarId)` for every scalar that the nest computes, operands first.
void forEachScalar(const LoopProgram& program, const LoopNest& nest,
                   const std::function<void(ScalarId)>& visit);

}  // namespace jitscope::compiler
