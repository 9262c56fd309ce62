#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "compiler/backend.h"
#include "compiler/loops/loop_program.h"
#include "compiler/toolchain/kernel_library.h"

namespace jitscope::compiler {

/// A fused graph with its kernels: binds tensors to them. Runs any number of times, from several
/// threads at once.
class FusedGraph {
 public:
  /// `program` has one nest for each kernel of `library`, in its order.
  FusedGraph(const Graph& graph, LoopProgram program, std::shared_ptr<const KernelLibrary> library);

  /// Whether the tensors are as the graph says, so that the kernels read what is theirs.
  bool accepts(std::span<const at::Tensor> inputs, std::span<const int64_t> symbols) const;

  std::vector<at::Tensor> run(std::span<const at::Tensor> inputs,
                              std::span<const int64_t> symbols) const;

 private:
  /// Tensors of one run: by ValueId, then those of buffers that are no value's.
  using Tensors = std::vector<at::Tensor>;

  struct Call {
    CompiledGraph graph;
    std::vector<ValueId> inputs, outputs;
  };
  struct Launch {
    size_t kernel = 0;
    std::vector<BufferId> stored;
  };
  struct Step {
    std::variant<Launch, Call> work;
    std::vector<size_t> released;  ///< slots that nobody needs afterwards
  };

  Call callOf(const Node& node) const;
  void planReleases();
  std::vector<size_t> slotsOf(const Step& step) const;
  size_t slotOf(BufferId buffer) const;
  void addSlots(ValueId value, std::vector<size_t>& slots) const;
  const at::Tensor& tensor(ValueId id, Tensors& tensors, std::span<const int64_t> symbols) const;
  at::Tensor makeBuffer(BufferId id, std::span<const int64_t> symbols) const;
  void runKernel(const Launch& launch, Tensors& tensors, std::span<const int64_t> symbols) const;

  const Graph graph_;
  const LoopProgram program_;
  const std::shared_ptr<const KernelLibrary> library_;
  std::vector<ValueId> source_;  ///< by ValueId: whose memory it shares, kNone for its own
  std::vector<Step> steps_;
};

}  // namespace jitscope::compiler
