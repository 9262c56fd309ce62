#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/codegen/code_text.h"
#include "compiler/codegen/cuda_kernel.h"
#include "compiler/codegen/nest_analysis.h"
#include "compiler/codegen/scalar_code.h"

namespace jitscope::compiler {

/// Writes the kernel of one nest for GPUs. Threads take elements in vectors of 16 bytes where the
/// addresses allow it, found out when the code is written as far as sizes are known, and else when
/// it runs.
class CudaWriter {
 public:
  CudaWriter(LoopProgram& program, const LoopNest& nest, size_t number, const CudaForm& form);
  CudaKernel write();

 private:
  void writeSignature();
  void writePointwise();
  void writeScattered();  ///< pointwise, one element after the other
  /// Pointwise, where some loads go along another loop than the stores: tile by tile.
  void writeTiles(size_t across);
  std::optional<size_t> loopAcross() const;
  void writeRows();
  void writeRowPass(int pass);
  void writeRowBody(int pass, const std::vector<ReductionId>& reductions,
                    const std::vector<LoopStore>& stores);
  void writeRowResults(const std::vector<ReductionId>& reductions);
  void writeColumns();
  void writeColumnPass(int pass);
  void writeColumnResults(const std::vector<ReductionId>& reductions);

  /// Decides how many elements along `loop` a thread takes at once: `run` of them are there, and
  /// vectors may not go over their end.
  void planVectors(size_t loop, const Index& run);
  void planRow();
  void planKept();
  bool isAlong(const Index& address, size_t loop) const;
  /// Whether `value` is a multiple of `width`. What only sizes can tell becomes a condition of the
  /// kernel.
  bool becomesMultiple(const Index& value, int64_t width);
  /// Whether a load along `loop` is done in vectors: it has no condition, or one that holds for
  /// all of a vector or for none.
  bool isVectorLoad(ScalarId id, size_t loop) const;
  bool isUniform(ScalarId condition, size_t loop) const;
  /// A condition on positions as one expression; empty for what is more than that.
  std::string conditionText(ScalarId id);

  /// The elements of a vector that starts at `start`: loads before, a loop over them with `scalars`
  /// and what `inside` writes, stores after.
  void writeVector(size_t loop, const std::string& start, const std::vector<ScalarId>& scalars,
                   const std::vector<LoopStore>& stores, const std::function<void()>& inside);
  void loadVectors(size_t loop, const std::vector<ScalarId>& scalars);
  void define(ScalarId id);
  void store(const LoopStore& store);
  void decode(const std::string& from, const std::vector<size_t>& loops);
  std::string accumulate(const LoopReduction& reduction, const std::string& place,
                         const std::string& value) const;
  std::string accumulatorType(const LoopReduction& reduction) const;
  std::string size(size_t loop) { return code_.index(nest_.sizes[loop]); }

  LoopProgram& program_;
  LoopNest nest_;
  NestAnalysis analysis_;
  ScalarCode code_;
  CodeText text_;
  CudaKernel kernel_;

  const CudaForm form_;
  int64_t width_ = 1;                       ///< elements of a vector
  std::map<ScalarId, std::string> kept_;    ///< across passes, in registers: arrays
  std::map<ScalarId, std::string> arrays_;  ///< of the vector at hand, by load
  int rowThreads_ = 256, rowsPerBlock_ = 1;
  int64_t vectorsPerThread_ = 0;  ///< of a row that stays in registers; 0 for a longer one
};

/// The functor of the prelude that joins two partial results.
std::string_view joinName(ReductionOp op);

}  // namespace jitscope::compiler
