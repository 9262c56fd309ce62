#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "compiler/graph.h"
#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// A piece of memory: of a value of the graph, or of a buffer that is no value's.
enum class MemoryId : int64_t {};

/// Which memory the steps of a program read and write, and which step has to wait for which.
class StepGraph {
 public:
  StepGraph(const LoopProgram& program, const Graph& graph);

  const std::set<MemoryId>& reads(size_t step) const { return reads_[step]; }
  const std::set<MemoryId>& writes(size_t step) const { return writes_[step]; }
  /// Whether step `later` needs `earlier` done, directly or through others.
  bool reaches(size_t earlier, size_t later) const;
  /// Whether a third step stands between the two: needs `earlier`, and `later` needs it.
  bool isSeparated(size_t earlier, size_t later) const;
  /// An order of the steps in which each comes after those that it needs, near the given one.
  std::vector<size_t> order() const;

  MemoryId memoryOf(BufferId buffer) const;
  /// Whether the memory is read when all steps are done: it is an output of the graph.
  bool isOutput(MemoryId memory) const { return outputs_.contains(memory); }

 private:
  MemoryId memoryOf(ValueId value) const;
  void addStep(const LoopStep& step);
  void connect();

  const LoopProgram& program_;
  const Graph& graph_;
  std::vector<int32_t> root_;  ///< by ValueId: the value whose memory it shares
  std::vector<std::set<MemoryId>> reads_, writes_;
  std::vector<bool> isOpaque_;
  std::vector<std::vector<size_t>> needs_;    ///< direct ones
  std::vector<std::vector<bool>> reachable_;  ///< [earlier][later]
  std::set<MemoryId> outputs_;
};

}  // namespace jitscope::compiler
