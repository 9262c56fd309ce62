#pragma once

#include <memory>

#include "compiler/backend.h"

namespace jitscope::compiler {

/// Counts what is compiled; graphs run operator by operator.
struct CompileCounter {
  struct Counts {
    int64_t graphs = 0, ops = 0;
  };
  std::shared_ptr<Counts> counts = std::make_shared<Counts>();

  Backend backend() const {
    return [counts = counts](const Graph& graph, std::span<const at::Tensor>) {
      ++counts->graphs;
      counts->ops += static_cast<int64_t>(graph.opCount());
      return interpret(graph);
    };
  }
  int64_t graphs() const { return counts->graphs; }
  int64_t ops() const { return counts->ops; }
};

}  // namespace jitscope::compiler
