#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <shared_mutex>
#include <span>
#include <vector>

#include "compiler/aot/call_shape.h"
#include "compiler/aot/step_compiler.h"
#include "compiler/aot/traced_function.h"
#include "compiler/backend.h"
#include "compiler/graph.h"

namespace jitscope::compiler {

/// A captured graph and what was compiled of it for each kind of call that came. What cannot be
/// compiled, and what fails, runs as the eager backend runs it. Safe to call from several threads.
class SpecializedGraph {
 public:
  SpecializedGraph(Graph graph, const Backend& inner);

  /// Compiles for calls like the one that the graph was captured in, if that can be told from what
  /// is left of it: the function may have changed its inputs.
  void prepare(std::span<const at::Tensor> examples);

  std::vector<at::Tensor> run(std::span<const at::Tensor> inputs, std::span<const int64_t> symbols);

 private:
  struct Entry {
    CallShape shape;
    CallPlaces places;
    std::unique_ptr<const TracedFunction> traced;  ///< null: refused
    std::atomic<bool> hasFailed{false};
  };

  static constexpr size_t kMostEntries = 16;

  bool areAsCaptured(std::span<const at::Tensor> examples, std::span<const int64_t> symbols) const;
  std::shared_ptr<Entry> known(const CallShape& shape, std::span<const at::Tensor> inputs) const;
  std::shared_ptr<Entry> find(const CallShape& shape, std::span<const at::Tensor> inputs,
                              std::span<const int64_t> symbols);
  std::unique_ptr<const TracedFunction> compile(const CallShape& shape,
                                                std::span<const at::Tensor> inputs,
                                                std::span<const int64_t> symbols) const;
  std::vector<at::Tensor> runAfterFailure(Entry& entry, const std::exception& error,
                                          std::span<const at::Tensor> inputs,
                                          std::span<const int64_t> symbols) const;

  const Graph graph_;
  const StepCompiler compiler_;
  const CompiledGraph eager_;
  std::shared_mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;  ///< under the mutex
  std::atomic<bool> isFull_{false};              ///< and told so
};

}  // namespace jitscope::compiler
