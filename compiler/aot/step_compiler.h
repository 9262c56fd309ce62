#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "compiler/backend.h"
#include "compiler/journal/compile_scope.h"

namespace jitscope::compiler {

/// What a functional graph is for.
enum class Step : uint8_t { kInference, kForward, kBackward };

/// Has a backend compile functional graphs, and tells the journal. When the backend throws, the
/// graph runs operator by operator.
class StepCompiler {
 public:
  /// For the segment whose compilation the calling thread is in.
  explicit StepCompiler(Backend backend);

  CompiledGraph compile(Step step, const Graph& graph, std::span<const at::Tensor> examples) const;

  /// Tells that a graph is left to the eager backend.
  void tellRefused(const Graph& graph, std::string_view reason) const;

 private:
  Backend backend_;
  CompilePlace place_;
  int64_t number_;  ///< of this compilation in the process, as AOTAutograd counts
};

}  // namespace jitscope::compiler
