#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <mutex>
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
/// compiled, and what fails, runs as the eager backend runs it. Safe to call from several threads:
/// a call that needs a compilation waits for its own alone.
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
    std::once_flag isCompiled;
    std::unique_ptr<const TracedFunction> traced;  ///< null: refused, or not compiled yet
    std::atomic<bool> hasFailed{false};

    bool servesPlacesOf(std::span<const at::Tensor> inputs) const;
  };

  static constexpr size_t kMostEntries = 16;

  bool areAsCaptured(std::span<const at::Tensor> examples, std::span<const int64_t> symbols) const;
  std::shared_ptr<Entry> known(const CallShape& shape, std::span<const at::Tensor> inputs) const;
  std::shared_ptr<Entry> knownOrNew(const CallShape& shape, std::span<const at::Tensor> inputs);
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
  std::vector<std::shared_ptr<Entry>>
      entries_;                      ///< under the mutex, with what they were compiled to
  std::atomic<bool> isFull_{false};  ///< and told so
};

}  // namespace jitscope::compiler
