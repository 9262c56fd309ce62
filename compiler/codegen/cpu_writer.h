#pragma once

#include <string>
#include <vector>

#include "compiler/codegen/code_text.h"
#include "compiler/codegen/generated_kernel.h"
#include "compiler/codegen/nest_analysis.h"
#include "compiler/codegen/scalar_code.h"

namespace jitscope::compiler {

/// Writes the kernel of one nest for processors. What every form of kernel shares.
class CpuWriter {
 public:
  CpuWriter(LoopProgram& program, const LoopNest& nest, const std::string& name);
  CpuKernel write();

 private:
  void begin();
  void writePointwise();
  // A reduction along rows of memory: its inner loop is vectorised.
  void writeRows();
  void writeRowPass(int pass);
  void openRowReductions(const std::vector<ReductionId>& reductions);
  void closeRowReductions(const std::vector<ReductionId>& reductions);
  void writeRowLoop(const std::vector<ReductionId>& reductions, const std::vector<ScalarId>& body,
                    const std::vector<LoopStore>& stores);
  // A reduction across rows: neighbouring results are vectorised, a panel at a time.
  void writeColumns();
  void writeColumnPass(int pass);
  void writePanelValues(int pass);
  void writeColumnLoop(const std::vector<ReductionId>& reductions,
                       const std::vector<ScalarId>& body, const std::vector<LoopStore>& stores);

  std::string size(size_t loop) { return code_.index(nest_.sizes[loop]); }
  std::string accumulatorType(const LoopReduction& reduction, bool isWide) const;
  void define(const std::vector<ScalarId>& scalars);
  void store(const LoopStore& store);
  void openLoop(size_t loop);
  /// Declares loop variables `loops` as digits of the number `from`.
  void decode(const std::string& from, const std::vector<size_t>& loops);
  bool isFloat(ReductionId id) const;

  LoopProgram& program_;
  LoopNest nest_;
  NestAnalysis analysis_;
  ScalarCode code_;
  CodeText text_;
  CpuKernel kernel_;
};

}  // namespace jitscope::compiler
